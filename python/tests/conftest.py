"""Scenarios that the tests share."""

import os

import pytest

import flitcast as fc

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def example(name: str) -> str:
    return os.path.join(ROOT, "examples", name)


@pytest.fixture(scope="session")
def mesh() -> fc.Scenario:
    return fc.Scenario(
        name="8x8 mesh",
        network={"topology": "mesh", "radix": [8, 8], "virtual_channels": 4},
        traffic={"rate": 0.005, "message_flits": 16},
    )


@pytest.fixture(scope="session")
def rings() -> fc.Scenario:
    return fc.Scenario.read(example("rings_two_levels.yaml"))


@pytest.fixture(scope="session")
def routers() -> fc.Scenario:
    return fc.Scenario.read(example("mesh_router_timing.yaml"))


@pytest.fixture
def endless(rings: fc.Scenario) -> fc.Scenario:
    """A simulation that takes minutes unless it is stopped."""
    return rings.with_(simulation={"precision": 1e-5, "max_cycles": 1e12})
