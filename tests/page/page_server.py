"""flitcast serve as a child process, and calls to it."""
import http.client
import json
import select
import signal
import subprocess
import sys


class Server:
    def __init__(self, program, *arguments, folder=None):
        self.process = subprocess.Popen([program, "serve", "--port", "0", *arguments], cwd=folder,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        ready, _, _ = select.select([self.process.stdout], [], [], 30)
        self.address = self.process.stdout.readline().strip() if ready else ""
        if not self.address:
            sentence = self.process.stderr.read()
            if "built without the page" in sentence:
                print("skipped: " + sentence.strip())
                sys.exit(77)
            raise AssertionError(f"no address: {sentence}")
        self.token = self.address.rsplit("token=", 1)[1]
        self.port = int(self.address.split("/?")[0].rsplit(":", 1)[1])

    def connect(self, timeout=30):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def request(self, path, body=None, method=None, headers=None, timeout=30):
        """Status, headers, body. Without a method, POST for calls and GET for pages."""
        connection = self.connect(timeout)
        sent = {"X-Flitcast-Token": self.token}
        sent.update(headers or {})
        sent = {key: value for key, value in sent.items() if value is not None}
        data = body if isinstance(body, (bytes, str, type(None))) else json.dumps(body)
        connection.request(method or ("POST" if path.startswith("/api/") else "GET"), path, data, sent)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, answer.headers, content

    def call(self, name, body=None, **more):
        status, _, content = self.request("/api/" + name, body if body is not None else {}, **more)
        assert status == 200, (status, content[:300])
        return json.loads(content)

    def stop(self):
        """Ctrl-C; the exit code and what was said on standard error."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        _, said = self.process.communicate(timeout=60)
        return self.process.returncode, said
