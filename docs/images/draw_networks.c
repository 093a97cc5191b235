/* Draws the networks of the family pages: draw_networks FOLDER writes an SVG for each. A test
 * compares them with those in docs/images. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include "svg_drawing.h"

static const double pi = 3.14159265358979323846;

static point at(double x, double y) {
    return (point){x, y};
}

static point on_circle(point centre, double radius, double degrees) {
    return at(centre.x + radius * cos(degrees * pi / 180),
              centre.y - radius * sin(degrees * pi / 180));
}

/* ---- hierarchical rings ---- */

/* Part of a circle, in short straight pieces, clockwise from one angle down to another. */
static void draw_arc(drawing *d, const char *kind, point centre, double radius, point angles) {
    for (double a = angles.x; a > angles.y + 0.01; a -= 5)
        draw_line(d, kind, on_circle(centre, radius, a),
                  on_circle(centre, radius, fmax(a - 5, angles.y)));
}

static void draw_rings(const char *folder) {
    drawing d = drawing_begin(folder, "rings", at(620, 470),
                              "A global ring joins four local rings of three stations each");
    draw_caption(&d, "rings: [3, 4]: 4 local rings of 3 stations, joined by a global ring");
    const point centre = {310, 252};
    const double global = 88, local = 48;
    draw_ring(&d, "link", centre, global);
    static const double directions[] = {150, 30, -30, -150};
    point locals[4];
    for (int i = 0; i < 4; ++i) {
        locals[i] = on_circle(centre, global + 40 + local, directions[i]);
        draw_ring(&d, "link", locals[i], local);
    }
    /* up from the station on the left, round the global ring, down into the ring on the right */
    draw_arc(&d, "path", locals[0], local, at(150, -30));
    draw_line(&d, "path", on_circle(locals[0], local, -30), on_circle(centre, global, 150));
    draw_arc(&d, "path", centre, global, at(150, 30));
    draw_line(&d, "path", on_circle(centre, global, 30), on_circle(locals[1], local, 210));
    draw_arc(&d, "path", locals[1], local, at(210, 120));
    for (int i = 0; i < 4; ++i) {
        const double inward = directions[i] + 180;
        for (int s = 1; s <= 3; ++s) {
            const bool used = (i == 0 && s == 2) || (i == 1 && s == 1);
            draw_circle(&d, used ? "mark" : "node", on_circle(locals[i], local, inward - 90.0 * s),
                        11);
        }
        draw_box(&d, "switch", on_circle(centre, global + 20, directions[i]), at(26, 26));
    }
    draw_text(&d, "label", centre, "global ring");
    draw_text(&d, "small", at(centre.x, centre.y + 18), "slots move one link a cycle");
    draw_text(&d, "small", locals[2], "local ring");
    draw_text(&d, "small", locals[3], "local ring");
    draw_text(&d, "small", at(310, 442),
              "circles: stations; squares: crossings, with a queue up and a queue down");
    drawing_end(&d);
}

/* ---- multistage ---- */

static int shuffled(int line) {
    return (line << 1 | line >> 2) & 7;
}

static point line_end(int stage, int line) {
    return at(130 + 150 * stage, 66 + 42 * line);
}

static void draw_multistage(const char *folder) {
    drawing d = drawing_begin(folder, "multistage", at(660, 440),
                              "Eight sources and eight memories, three stages of 2 x 2 switches");
    draw_caption(&d, "ports: 8, switch: 2: three stages in omega wiring");
    const int source = 2, destination = 6;
    int line = source;
    for (int stage = 0; stage < 3; ++stage) {
        for (int i = 0; i < 8; ++i) {
            const point from = at(line_end(stage, i).x - 60, line_end(stage, i).y);
            const point to = at(line_end(stage, shuffled(i)).x, line_end(stage, shuffled(i)).y);
            if (i != line)
                draw_line(&d, "link", from, to);
        }
        const int in = shuffled(line), out = (in & ~1) | (destination >> (2 - stage) & 1);
        draw_line(&d, "path", at(line_end(stage, line).x - 60, line_end(stage, line).y),
                  line_end(stage, in));
        line = out;
    }
    for (int i = 0; i < 8; ++i) {
        draw_line(&d, i == destination ? "path" : "link",
                  at(line_end(2, i).x + 90, line_end(2, i).y), at(560, line_end(2, i).y));
        draw_circle(&d, i == source ? "mark" : "node", at(56, line_end(0, i).y), 13);
        draw_box(&d, i == destination ? "mark" : "memory", at(574, line_end(0, i).y), at(28, 24));
        char number[8];
        snprintf(number, sizeof number, "%d", i);
        draw_text(&d, "small", at(56, line_end(0, i).y), number);
        draw_text(&d, "small", at(574, line_end(0, i).y), number);
    }
    line = source;
    for (int stage = 0; stage < 3; ++stage) {
        for (int s = 0; s < 4; ++s) {
            const point middle = {line_end(stage, 0).x + 45, line_end(0, 2 * s).y + 21};
            draw_box(&d, "switch", middle, at(90, 72));
            for (int input = 0; input < 2; ++input) {
                for (int place = 0; place < 3; ++place)
                    draw_box(&d, "slot", at(middle.x - 36 + 11 * place, middle.y - 21 + 42 * input),
                             at(10, 16));
            }
        }
        const int in = shuffled(line), out = (in & ~1) | (destination >> (2 - stage) & 1);
        draw_line(&d, "path", line_end(stage, in),
                  at(line_end(stage, in).x + 44, line_end(stage, in).y));
        draw_line(&d, "path", at(line_end(stage, in).x + 44, line_end(stage, in).y),
                  at(line_end(stage, out).x + 90, line_end(stage, out).y));
        line = out;
    }
    draw_text(&d, "small", at(56, 408), "sources");
    draw_text(&d, "small", at(574, 408), "memories");
    draw_text(&d, "small", at(315, 408),
              "2 to 6 = binary 110: lower, lower, upper output; a buffer at every switch input");
    drawing_end(&d);
}

/* ---- grids ---- */

static point grid_node(point corner, int x, int y) {
    return at(corner.x + 62 * x, corner.y + 62 * (3 - y));
}

static void draw_grid(drawing *d, point corner, bool torus) {
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 3; ++k) {
            draw_line(d, "link", grid_node(corner, k, i), grid_node(corner, k + 1, i));
            draw_line(d, "link", grid_node(corner, i, k), grid_node(corner, i, k + 1));
        }
        if (torus) {
            draw_curve(d, "link", grid_node(corner, 0, i), grid_node(corner, 3, i), 20);
            draw_curve(d, "link", grid_node(corner, i, 0), grid_node(corner, i, 3), 20);
        }
    }
}

static void draw_grid_nodes(drawing *d, point corner, const point *ends) {
    for (int x = 0; x < 4; ++x) {
        for (int y = 0; y < 4; ++y) {
            const bool end = (x == (int)ends[0].x && y == (int)ends[0].y) ||
                             (x == (int)ends[1].x && y == (int)ends[1].y);
            draw_circle(d, end ? "mark" : "node", grid_node(corner, x, y), 14);
            char digits[16];
            snprintf(digits, sizeof digits, "%d,%d", x, y);
            draw_text(d, "small", grid_node(corner, x, y), digits);
        }
    }
}

static void draw_torus(const char *folder) {
    drawing d =
        drawing_begin(folder, "torus", at(640, 340),
                      "A mesh and a torus of 4 x 4 nodes with a message from (0,0) to (3,2)");
    draw_text(&d, "caption", at(160, 18), "topology: mesh, radix: [4, 4]");
    draw_text(&d, "caption", at(480, 18), "topology: torus, radix: [4, 4]");
    const point ends[] = {{0, 0}, {3, 2}};
    const point mesh = {67, 84}, torus = {397, 84};
    draw_grid(&d, mesh, false);
    for (int x = 0; x < 3; ++x)
        draw_line(&d, "path", grid_node(mesh, x, 0), grid_node(mesh, x + 1, 0));
    draw_arrow(&d, "path", grid_node(mesh, 3, 0), grid_node(mesh, 3, 1), (gap){0, 4});
    draw_arrow(&d, "path", grid_node(mesh, 3, 1), grid_node(mesh, 3, 2), (gap){0, 15});
    draw_grid_nodes(&d, mesh, ends);
    draw_grid(&d, torus, true);
    draw_curve(&d, "path", grid_node(torus, 0, 0), grid_node(torus, 3, 0), 20);
    draw_line(&d, "path", grid_node(torus, 3, 0), grid_node(torus, 3, 1));
    draw_arrow(&d, "path", grid_node(torus, 3, 1), grid_node(torus, 3, 2), (gap){0, 15});
    draw_grid_nodes(&d, torus, ends);
    draw_text(&d, "small", at(320, 322),
              "0,0 to 3,2, dimension 0 first: five hops in the mesh, three in the torus");
    drawing_end(&d);
}

/* ---- closed traffic ---- */

static void draw_closed_node(drawing *d, double x, const char *name) {
    draw_text(d, "caption", at(x, 58), name);
    draw_box(d, "slot", at(x, 176), at(210, 212));
    draw_box(d, "node", at(x - 50, 112), at(84, 34));
    draw_text(d, "small", at(x - 50, 112), "processor");
    draw_box(d, "memory", at(x + 50, 112), at(84, 34));
    draw_text(d, "small", at(x + 50, 112), "memory");
    draw_box(d, "switch", at(x, 236), at(150, 44));
    draw_text(d, "small", at(x, 236), "switch");
}

static void draw_closed(const char *folder) {
    drawing d = drawing_begin(folder, "closed", at(680, 350),
                              "A processor's request travels to a memory and returns as a reply");
    draw_caption(&d, "kind: closed: a processor waits for what it asked for");
    draw_closed_node(&d, 150, "node a");
    draw_closed_node(&d, 530, "node b");
    draw_arrow(&d, "path", at(100, 129), at(100, 214), (gap){0, 2});
    draw_arrow(&d, "path", at(225, 226), at(455, 226), (gap){0, 2});
    draw_arrow(&d, "path", at(566, 214), at(566, 129), (gap){0, 2});
    draw_arrow(&d, "link", at(592, 129), at(592, 214), (gap){0, 1});
    draw_arrow(&d, "link", at(455, 248), at(225, 248), (gap){0, 1});
    draw_arrow(&d, "link", at(122, 214), at(122, 129), (gap){0, 1});
    draw_text(&d, "small", at(340, 212), "request, h network channels");
    draw_text(&d, "small", at(340, 264), "reply");
    draw_text(&d, "small", at(72, 172), "node link");
    draw_text(&d, "small", at(530, 172), "ejection");
    draw_text(&d, "small", at(340, 308),
              "N_out requests of a processor can be on this tour at once; each then thinks for");
    draw_text(&d, "small", at(340, 324), "think_time cycles on average before the next");
    drawing_end(&d);
}

/* ---- scouting ---- */

static void draw_scouting(const char *folder) {
    drawing d = drawing_begin(folder, "scouting", at(640, 300),
                              "A header runs ahead of its data and steps back from a blocked link");
    draw_caption(&d, "switching: scouting, scouting_distance: 2");
    const double top = 96, low = 196;
    for (int i = 0; i < 6; ++i) {
        const point a = {60 + 104.0 * i, top}, b = {60 + 104.0 * i, low};
        if (i < 5) {
            draw_line(&d, "link", a, at(a.x + 104, top));
            draw_line(&d, "link", b, at(b.x + 104, low));
        }
        draw_line(&d, "link", a, b);
    }
    draw_line(&d, "path", at(60, low), at(60 + 208, low));
    draw_line(&d, "path", at(60 + 208, low), at(60 + 312, low));
    draw_line(&d, "path", at(60 + 312, low), at(60 + 312, top));
    draw_arrow(&d, "faint", at(60 + 300, low + 22), at(60 + 220, low + 22), (gap){0, 0});
    for (int i = 0; i < 6; ++i) {
        draw_circle(&d, i == 0 ? "mark" : "node", at(60 + 104.0 * i, low), 14);
        draw_circle(&d, i == 5 ? "mark" : "node", at(60 + 104.0 * i, top), 14);
    }
    for (int i = 0; i < 5; ++i)
        draw_box(&d, "flit", at(108 + 36.0 * i, low), at(16, 14));
    draw_box(&d, "header", at(60 + 312, top), at(18, 16));
    /* taken by another message */
    draw_line(&d, "path", at(60 + 357, low - 9), at(60 + 375, low + 9));
    draw_line(&d, "path", at(60 + 357, low + 9), at(60 + 375, low - 9));
    draw_text(&d, "small", at(60, low + 30), "source");
    draw_text(&d, "small", at(60 + 520, top - 28), "destination");
    draw_text(&d, "small", at(60 + 312, top - 28), "header: two links ahead of the data");
    draw_text(&d, "small", at(60 + 420, low + 26), "no virtual channel free: it turned");
    draw_text(&d, "small", at(60 + 260, low + 40), "acknowledgements run back");
    draw_text(&d, "small", at(320, 276),
              "the first data flit may cross its next link once the header is known K links ahead");
    drawing_end(&d);
}

/* ---- networks of routers ---- */

static void draw_hypercube(const char *folder) {
    drawing d = drawing_begin(folder, "hypercube", at(460, 330), "A hypercube of 16 nodes");
    draw_caption(&d, "a hypercube of 16 nodes: 4 dimensions");
    point node[16];
    for (int i = 0; i < 16; ++i) {
        const point inner = {(i & 1) * 108.0 + (i & 4 ? 52 : 0),
                             (i & 2 ? 0 : 108.0) + (i & 4 ? 0 : 44)};
        node[i] = at(54 + inner.x + (i & 8 ? 190 : 0), 76 + inner.y + (i & 8 ? 36 : 0));
    }
    for (int i = 0; i < 16; ++i) {
        for (int bit = 1; bit < 16; bit <<= 1) {
            if (!(i & bit))
                draw_line(&d, bit == 8 ? "faint" : "link", node[i], node[i | bit]);
        }
    }
    static const int path[] = {0, 1, 3, 11};
    for (int i = 0; i < 3; ++i)
        draw_line(&d, "path", node[path[i]], node[path[i + 1]]);
    for (int i = 0; i < 16; ++i) {
        char digits[8];
        snprintf(digits, sizeof digits, "%d%d%d%d", i >> 3 & 1, i >> 2 & 1, i >> 1 & 1, i & 1);
        draw_circle(&d, i == 0 || i == 11 ? "mark" : "node", node[i], 15);
        draw_text(&d, "small", node[i], digits);
    }
    draw_text(&d, "small", at(230, 312), "0000 to 1011: one link for each digit that differs");
    drawing_end(&d);
}

/* A 2-ary 3-fly. Switch r of the first stage takes nodes 2 r and 2 r + 1; each stage replaces one
 * binary digit of r by that of the destination, the first digit first. */
static point fly_switch(int stage, int row) {
    return at(150 + 160.0 * stage, 87 + 84.0 * row);
}

static int fly_next(int stage, int row, int port) {
    const int bit = stage == 0 ? 2 : 1;
    return port ? row | bit : row & ~bit;
}

static void draw_fly_nodes(drawing *d, double x, int marked) {
    for (int i = 0; i < 8; ++i) {
        char number[8];
        snprintf(number, sizeof number, "%d", i);
        draw_circle(d, i == marked ? "mark" : "node", at(x, 66 + 42.0 * i), 13);
        draw_text(d, "small", at(x, 66 + 42.0 * i), number);
    }
}

static void draw_fly(const char *folder) {
    drawing d = drawing_begin(folder, "fly", at(620, 440), "A butterfly of three stages");
    draw_caption(&d, "a 2-ary 3-fly: one path between any two nodes");
    const int source = 1, destination = 6;
    int row = source / 2;
    for (int i = 0; i < 8; ++i) {
        const double y = 66 + 42.0 * i;
        draw_line(&d, i == source ? "path" : "link", at(56, y), fly_switch(0, i / 2));
        draw_line(&d, i == destination ? "path" : "link", fly_switch(2, i / 2), at(564, y));
    }
    for (int stage = 0; stage < 2; ++stage) {
        const int wanted = destination >> (2 - stage) & 1;
        for (int i = 0; i < 8; ++i)
            draw_line(&d, "link", fly_switch(stage, i / 2),
                      fly_switch(stage + 1, fly_next(stage, i / 2, i % 2)));
        draw_line(&d, "path", fly_switch(stage, row),
                  fly_switch(stage + 1, fly_next(stage, row, wanted)));
        row = fly_next(stage, row, wanted);
    }
    for (int i = 0; i < 12; ++i)
        draw_box(&d, "switch", fly_switch(i / 4, i % 4), at(40, 44));
    draw_fly_nodes(&d, 56, source);
    draw_fly_nodes(&d, 564, destination);
    draw_text(&d, "small", at(310, 414),
              "left and right are the same nodes: they send on the left, receive on the right");
    drawing_end(&d);
}

/* A 2-ary 3-tree: 8 nodes, three levels of four switches. */
static void draw_fat_tree(const char *folder) {
    drawing d = drawing_begin(folder, "fat_tree", at(640, 400), "A fat tree of three levels");
    draw_caption(&d, "a 2-ary 3-tree: any path up, one path down");
    point router[3][4];
    for (int level = 0; level < 3; ++level) {
        for (int i = 0; i < 4; ++i)
            router[level][i] = at(95 + 150.0 * i, 262 - 95.0 * level);
    }
    for (int level = 0; level < 2; ++level) {
        for (int i = 0; i < 4; ++i) {
            for (int up = 0; up < 2; ++up)
                draw_line(&d, "link", router[level][i],
                          router[level + 1][(i & ~(1 << level)) | up << level]);
        }
    }
    for (int i = 0; i < 8; ++i)
        draw_line(&d, i == 0 || i == 7 ? "path" : "link", router[0][i / 2],
                  at(router[0][i / 2].x + (i % 2 ? 36 : -36), 338));
    draw_line(&d, "path", router[0][0], router[1][1]);
    draw_line(&d, "path", router[1][1], router[2][3]);
    draw_line(&d, "path", router[2][3], router[1][3]);
    draw_line(&d, "path", router[1][3], router[0][3]);
    for (int level = 0; level < 3; ++level) {
        for (int i = 0; i < 4; ++i)
            draw_box(&d, "switch", router[level][i], at(46, 30));
    }
    for (int i = 0; i < 8; ++i) {
        char number[8];
        snprintf(number, sizeof number, "%d", i);
        const point where = {router[0][i / 2].x + (i % 2 ? 36 : -36), 338};
        draw_circle(&d, i == 0 || i == 7 ? "mark" : "node", where, 13);
        draw_text(&d, "small", where, number);
    }
    draw_text(&d, "small", at(320, 378), "0 to 7: any of the four switches on top will do");
    drawing_end(&d);
}

static void draw_concentrated(const char *folder) {
    drawing d = drawing_begin(folder, "concentrated_mesh", at(500, 420),
                              "A 3 x 3 mesh of routers with four nodes each");
    draw_caption(&d, "a 3 x 3 mesh with 4 nodes at each router");
    for (int x = 0; x < 3; ++x) {
        for (int y = 0; y < 3; ++y) {
            const point r = {100 + 150.0 * x, 96 + 120.0 * y};
            if (x < 2)
                draw_line(&d, "link", r, at(r.x + 150, r.y));
            if (y < 2)
                draw_line(&d, "link", r, at(r.x, r.y + 120));
        }
    }
    for (int x = 0; x < 3; ++x) {
        for (int y = 0; y < 3; ++y) {
            const point r = {100 + 150.0 * x, 96 + 120.0 * y};
            for (int n = 0; n < 4; ++n) {
                const point node = {r.x + (n % 2 ? 38 : -38), r.y + (n / 2 ? 34 : -34)};
                draw_line(&d, "link", r, node);
                draw_circle(&d, "node", node, 9);
            }
            draw_box(&d, "switch", r, at(32, 32));
        }
    }
    draw_text(&d, "small", at(250, 402),
              "36 nodes, 9 routers: fewer hops, larger routers, shared links");
    drawing_end(&d);
}

static void draw_graph(const char *folder) {
    drawing d = drawing_begin(folder, "graph", at(520, 330), "Five routers joined as a file says");
    draw_caption(&d, "a graph: routers, nodes and links from a file");
    static const point router[] = {{110, 110}, {270, 94}, {410, 140}, {330, 240}, {160, 230}};
    static const int links[][3] = {{0, 1, 1}, {1, 2, 2}, {2, 3, 1},
                                   {3, 4, 1}, {4, 0, 1}, {1, 4, 3}};
    for (size_t i = 0; i < sizeof links / sizeof *links; ++i) {
        const point a = router[links[i][0]], b = router[links[i][1]];
        draw_line(&d, "link", a, b);
        char cycles[8];
        snprintf(cycles, sizeof cycles, "%d", links[i][2]);
        draw_circle(&d, "page", at((a.x + b.x) / 2, (a.y + b.y) / 2), 8);
        draw_text(&d, "small", at((a.x + b.x) / 2, (a.y + b.y) / 2), cycles);
    }
    static const point offset[] = {{-50, -30}, {0, -42}, {56, 0}, {40, 38}, {-50, 30}};
    for (int i = 0; i < 5; ++i) {
        const point node = {router[i].x + offset[i].x, router[i].y + offset[i].y};
        draw_line(&d, "link", router[i], node);
        draw_circle(&d, "node", node, 11);
        draw_box(&d, "switch", router[i], at(32, 32));
    }
    draw_text(&d, "small", at(260, 312), "the number at a link is its delay in cycles");
    drawing_end(&d);
}

/* ---- dragonfly, HyperX, Slim Fly ---- */

static const point dragonfly_centre = {300, 285};

/* Router `place` of a group; the three of a group are joined to each other. */
static point dragonfly_router(int group, int place) {
    const point middle = on_circle(dragonfly_centre, 150, 90 - 90.0 * group);
    return on_circle(middle, 42, 90 - 90.0 * group + 180 + 120.0 * (place - 1));
}

static void draw_dragonfly(const char *folder) {
    drawing d = drawing_begin(folder, "dragonfly", at(600, 570), "A dragonfly of four groups");
    draw_caption(&d, "a dragonfly: hosts: 1, routers: 3, global_links: 1, groups: 4");
    for (int g = 0; g < 4; ++g) {
        draw_ring(&d, "faint", on_circle(dragonfly_centre, 150, 90 - 90.0 * g), 84);
        for (int place = 0; place < 3; ++place) {
            const int to = place < g ? place : place + 1, back = g < to ? g : g - 1;
            draw_line(&d, "link", dragonfly_router(g, place), dragonfly_router(g, (place + 1) % 3));
            if (g < to)
                draw_line(&d, "link", dragonfly_router(g, place), dragonfly_router(to, back));
        }
    }
    /* local, global, local: from router 1 of group 0 to router 2 of group 1 */
    draw_line(&d, "path", dragonfly_router(0, 1), dragonfly_router(0, 0));
    draw_line(&d, "path", dragonfly_router(0, 0), dragonfly_router(1, 0));
    draw_line(&d, "path", dragonfly_router(1, 0), dragonfly_router(1, 2));
    for (int g = 0; g < 4; ++g) {
        for (int place = 0; place < 3; ++place)
            draw_box(&d, "switch", dragonfly_router(g, place), at(26, 26));
        char name[16];
        snprintf(name, sizeof name, "group %d", g);
        draw_text(&d, "small", on_circle(dragonfly_centre, g % 2 ? 254 : 222, 90 - 90.0 * g), name);
    }
    draw_text(&d, "small", at(300, 555), "a minimal path: local link, global link, local link");
    drawing_end(&d);
}

static void draw_hyperx(const char *folder) {
    drawing d = drawing_begin(folder, "hyperx", at(520, 400), "A HyperX of 4 x 3 routers");
    draw_caption(&d, "a HyperX: shape: [4, 3], every line of routers is complete");
    point router[4][3];
    for (int x = 0; x < 4; ++x) {
        for (int y = 0; y < 3; ++y)
            router[x][y] = at(95 + 110.0 * x, 110 + 100.0 * y);
    }
    for (int x = 0; x < 4; ++x) {
        for (int y = 0; y < 3; ++y) {
            for (int to = x + 1; to < 4; ++to)
                draw_curve(&d, "link", router[x][y], router[to][y],
                           to - x > 1 ? 22.0 * (to - x) : 0);
            for (int to = y + 1; to < 3; ++to)
                draw_curve(&d, "link", router[x][y], router[x][to], to - y > 1 ? 30 : 0);
        }
    }
    draw_curve(&d, "path", router[0][2], router[3][2], 66);
    draw_curve(&d, "path", router[3][0], router[3][2], 30);
    for (int x = 0; x < 4; ++x) {
        for (int y = 0; y < 3; ++y)
            draw_box(&d, x == 0 && y == 2 ? "mark" : "switch", router[x][y], at(30, 30));
    }
    draw_text(&d, "small", at(260, 384), "a minimal path has one link for each digit that differs");
    drawing_end(&d);
}

/* q = 3: X = {1, 2}, so that both rows of columns are triangles; (0, x, y) and (1, m, c) are joined
 * if y = m x + c. */
static void draw_slim_fly(const char *folder) {
    drawing d = drawing_begin(folder, "slim_fly", at(640, 420), "A Slim Fly of 18 routers");
    draw_caption(&d, "a Slim Fly: q: 3; any two routers are joined or have a neighbour in common");
    point router[2][3][3];
    for (int half = 0; half < 2; ++half) {
        for (int column = 0; column < 3; ++column) {
            for (int row = 0; row < 3; ++row)
                router[half][column][row] = on_circle(at(120 + 200.0 * column, half ? 300 : 125),
                                                      42, (half ? 90 : -90) + 120.0 * row);
        }
    }
    for (int x = 0; x < 3; ++x) {
        for (int y = 0; y < 3; ++y) {
            for (int m = 0; m < 3; ++m)
                draw_line(&d, x == 0 && y == 0 ? "path" : "faint", router[0][x][y],
                          router[1][m][(y - m * x % 3 + 3) % 3]);
            for (int half = 0; half < 2; ++half)
                draw_line(&d, half == 0 && x == 0 && y != 1 ? "path" : "link", router[half][x][y],
                          router[half][x][(y + 1) % 3]);
        }
    }
    for (int half = 0; half < 2; ++half) {
        for (int column = 0; column < 3; ++column) {
            for (int row = 0; row < 3; ++row)
                draw_circle(&d, !half && !column && !row ? "mark" : "node",
                            router[half][column][row], 10);
        }
    }
    draw_text(&d, "small", at(320, 392),
              "5 links a router: 2 within its column, 3 to the other half");
    drawing_end(&d);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: draw_networks FOLDER\n");
        return 2;
    }
    draw_rings(argv[1]);
    draw_multistage(argv[1]);
    draw_torus(argv[1]);
    draw_closed(argv[1]);
    draw_scouting(argv[1]);
    draw_hypercube(argv[1]);
    draw_fly(argv[1]);
    draw_fat_tree(argv[1]);
    draw_concentrated(argv[1]);
    draw_graph(argv[1]);
    draw_dragonfly(argv[1]);
    draw_hyperx(argv[1]);
    draw_slim_fly(argv[1]);
    return 0;
}
