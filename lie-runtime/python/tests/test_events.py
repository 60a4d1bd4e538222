"""Events with functions and actions in Python."""

import numpy as np
import pytest

import liemech


@pytest.fixture(scope="module")
def ball() -> liemech.System:
    return liemech.model("""
        #[configuration] pub struct Height { pub z: f64 }
        #[parameters] pub struct Ball { pub gravity: f64, pub is_held: bool }
        #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.z * v.z }
        #[potential] fn weight(p: &Ball, q: &Height) -> f64 { if p.is_held { 0.0 } else { p.gravity * q.z } }
    """).system(gravity=9.81, is_held=False)


def test_functions_of_the_state(ball):
    times = []

    def apex(state):
        times.append(state.t)
        return state["velocity.z"]

    run = ball.simulate(
        v0={"z": 3.0},
        q0={"z": 1.0},
        t_end=2.0,
        step=0.01,
        events={"apex": liemech.Event(-1, function=apex), "low": liemech.Event(stop=True, function=lambda state: state["z"])},
    )
    low = (3.0 + np.sqrt(9.0 + 2.0 * 9.81)) / 9.81
    assert [(event.name, event.rising) for event in run.events] == [("apex", False), ("low", False)]
    assert run.events[0].time == pytest.approx(3.0 / 9.81, abs=1e-12)
    assert run.stopped == pytest.approx(low, abs=1e-12)
    # Two calls a step, and few at the events.
    assert len(times) < 2.0 * low / 0.01 + 40


def test_a_bouncing_ball_comes_to_rest(ball):
    def bounce(change):
        speed = -change.state["velocity.z"]
        change.set_velocity({"z": 0.5 * speed if speed > 0.1 else 0.0})
        change.set(is_held=speed <= 0.1)

    events = {"impact": liemech.Event(-1, function=lambda state: state["z"], action=bounce)}
    run = ball.simulate(q0={"z": 1.0}, t_end=3.0, step=0.01, events=events)
    # Falls and flights form a geometric series.
    fall = np.sqrt(2.0 / 9.81)
    expected = fall * (1.0 + 2.0 * np.cumsum([0.0, *(0.5**k for k in range(1, 7))]))
    np.testing.assert_allclose([event.time for event in run.events], expected, rtol=1e-11)
    assert run.events[0].after["velocity.z"] == pytest.approx(0.5 * np.sqrt(2.0 * 9.81), rel=1e-12)
    assert abs(run["z"][-1]) < 1e-12 and run["velocity.z"][-1] == 0.0


def test_actions_set_velocities_positions_and_parameters(ball):
    def change(at):
        at.set_velocity({"z": -0.5 * at.state["velocity.z"]})
        at.set_configuration({"z": 0.25})
        at.set(gravity=1.0)

    events = {"low": liemech.Event(-1, function=lambda state: state["z"] - 0.5, action=change)}
    run = ball.simulate(q0={"z": 1.0}, t_end=0.4, step=0.01, events=events)
    time, speed = np.sqrt(1.0 / 9.81), np.sqrt(9.81)
    rest = 0.4 - time
    assert run["z"][-1] == pytest.approx(0.25 + 0.5 * speed * rest - 0.5 * rest**2, rel=1e-12)
    assert run["velocity.z"][-1] == pytest.approx(0.5 * speed - rest, rel=1e-12)


def test_members_that_an_action_does_not_name_are_unchanged(heavy_top, start):
    states = []

    def stop(at):
        states.append(at.state)
        at.set_configuration({})
        at.set_velocity({})
        at.stop()

    settings = {**start, "t_end": 0.2, "step": 1e-3}
    run = heavy_top.simulate(**settings, events={"here": liemech.Event(function=lambda s: s["position"][0] - 0.2, action=stop)})
    for name in ("attitude", "position", "velocity.attitude", "velocity.position"):
        np.testing.assert_array_equal(states[0][name], run.events[0].before[name])
        # The state within a step is projected onto the constraints after the action.
        np.testing.assert_allclose(states[0][name], run.events[0].after[name], rtol=1e-8, atol=1e-8)
    assert run.t[-1] == run.events[0].time < 0.2


@pytest.mark.parametrize("place", ["function", "action"])
def test_an_exception_ends_the_run(ball, place):
    calls = []

    def fail(_):
        calls.append(1)
        raise RuntimeError("of the user")

    event = liemech.Event(function=lambda state: state["z"] - 0.5, action=fail) if place == "action" else fail
    with pytest.raises(RuntimeError, match="of the user") as caught:
        ball.simulate(q0={"z": 1.0}, t_end=1.0, step=0.01, events={"event": event})
    # A function is evaluated before the first step.
    assert len(caught.value.run) >= (30 if place == "action" else 0)
    assert len(calls) < 10


def test_errors_of_changes(ball):
    def simulate(action):
        event = liemech.Event(function=lambda state: state["z"] - 0.5, action=action)
        return ball.simulate(q0={"z": 1.0}, t_end=1.0, step=0.01, events={"event": event})

    with pytest.raises(liemech.ModelError, match="no parameter `gravty`"):
        simulate(lambda at: at.set(gravty=1.0))
    with pytest.raises(liemech.ModelError, match="no member `y`"):
        simulate(lambda at: at.set_velocity({"y": 1.0}))
    with pytest.raises(ValueError, match="have no derivatives"):
        ball.simulate(q0={"z": 1.0}, t_end=1.0, events={"event": lambda state: 1.0}, sensitivities=["gravity"])
