"""Sampled controllers in Python."""

import numpy as np
import pytest

import liemech

PERIOD = 0.02


@pytest.fixture(scope="module")
def cart() -> liemech.System:
    return liemech.model("""
        #[configuration] pub struct Rail { pub x: f64 }
        #[inputs] pub struct Inputs { pub push: f64, pub wind: Vector2<f64> }
        #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
        #[force(on = x)] fn motor(u: &Inputs) -> f64 { u.push + u.wind.x }
        #[observable] fn error(q: &Rail) -> f64 { 1.0 - q.x }
    """).system()


class Pid:
    """A controller with an internal state."""

    def __init__(self, gains, error, rate, output):
        self.gains, self.error, self.rate, self.output = gains, error, rate, output
        self.sum = 0.0
        self.times = []

    def __call__(self, state):
        self.times.append(state.t)
        error = self.error(state)
        self.sum += error * PERIOD
        return {self.output: np.dot(self.gains, [error, self.sum, -self.rate(state)])}


def test_pid_controller_has_the_closed_form_of_a_held_force(cart):
    pid = Pid([6.0, 2.0, 4.0], lambda state: state["error"], lambda state: state["velocity.x"], "push")
    run = cart.simulate(t_end=2.0, step=0.01, inputs={"wind": [0.3, 0.0]}, controller=(PERIOD, pid))
    # x'' = u + 0.3 in each period.
    x, v, total, pushes = 0.0, 0.0, 0.0, []
    for _ in range(100):
        total += (1.0 - x) * PERIOD
        pushes.append(6.0 * (1.0 - x) + 2.0 * total - 4.0 * v)
        force = pushes[-1] + 0.3
        x, v = x + v * PERIOD + 0.5 * force * PERIOD**2, v + force * PERIOD
    np.testing.assert_allclose([run["x"][-1], run["velocity.x"][-1]], [x, v], rtol=1e-12)
    np.testing.assert_allclose(pid.times, PERIOD * np.arange(100), atol=1e-14)
    # A recorded state has the inputs of the step before it.
    np.testing.assert_allclose(run["inputs.push"][1:], np.repeat(pushes, 2), rtol=1e-11)
    np.testing.assert_array_equal(run["inputs.wind"][:, 0], 0.3)


def test_stabilised_pendulum_agrees_with_a_loop_of_short_runs():
    pendulum = liemech.model("""
        #[configuration] pub struct Angle { pub arm: SO2 }
        #[inputs] pub struct Inputs { pub torque: f64 }
        #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.arm * v.arm }
        // Upright at zero.
        #[potential] fn weight(q: &Angle) -> f64 { 9.81 * (q.arm * Vector2::x()).x }
        #[force(on = arm)] fn motor(u: &Inputs) -> f64 { u.torque }
    """).system()

    def pid():
        return Pid([30.0, 5.0, 8.0], lambda state: -state["arm"], lambda state: state["velocity.arm"], "torque")

    run = pendulum.simulate(q0={"arm": 0.4}, t_end=2.0, step=0.005, controller=(PERIOD, pid()))
    law = pid()
    state, angles = pendulum.simulate(q0={"arm": 0.4}, t_end=1e-6, step=1e-6, inputs={"torque": 0.0}).state(0), [0.4]
    for period in range(100):
        short = pendulum.simulate(
            q0=state.configuration,
            v0=state.velocity,
            t_end=PERIOD,
            step=0.005,
            inputs=law(state),
        )
        state = short.state()
        angles.extend(short["arm"][1:])
    np.testing.assert_allclose(run["arm"], angles, atol=1e-12)
    assert abs(run["arm"][-1]) < 0.05 < abs(run["arm"][0])


def test_one_function_returns_several_inputs(cart):
    states = []

    def both(state):
        states.append(state)
        return {"wind": np.array([state.t, 9.0]), "push": -state["velocity.x"]}

    run = cart.simulate(v0={"x": 1.0}, t_end=0.3, step=0.05, controller=(0.1, both))
    v, expected = 1.0, []
    for k in range(3):
        expected.append(v)
        v += 0.1 * (0.1 * k - v)
    np.testing.assert_allclose([state["velocity.x"] for state in states], expected, rtol=1e-13)
    np.testing.assert_allclose(run["velocity.x"][-1], v, rtol=1e-13)
    np.testing.assert_allclose(run["inputs.wind"][-1], [0.2, 9.0], rtol=1e-13)
    # The state of a controller has no values that depend on its outputs.
    assert set(states[0]) == {"t", "configuration.x", "velocity.x", "observables.error"}


def test_an_exception_ends_the_run_with_its_states(cart):
    calls = []

    def fail(state):
        calls.append(state.t)
        if state.t > 0.15:
            raise RuntimeError("of the user")
        return {"push": 1.0, "wind": [0.0, 0.0]}

    with pytest.raises(RuntimeError, match="of the user") as caught:
        cart.simulate(t_end=1.0, step=0.05, controller=(0.1, fail))
    assert calls == pytest.approx([0.0, 0.1, 0.2])
    assert caught.value.run.t[-1] == pytest.approx(0.2) and caught.value.run["x"][-1] == pytest.approx(0.02)


@pytest.mark.parametrize(
    ("output", "inputs", "message"),
    [
        ({"pushh": 1.0}, {}, "`pushh`, which is unknown; the inputs are `push` and `wind`"),
        ({"push": 1.0, "wind": [0.0, 0.0]}, {"push": 1.0}, "`push`, which is a function of time"),
        ({"push": 1.0, "wind": 0.0}, {}, "`wind`, with 1 value; it must have 2"),
        ({"push": 1.0}, {}, "missing inputs `wind`: set `inputs="),
        ({"push": np.nan, "wind": [0.0, 0.0]}, {}, "`push` is not finite at t = 0.0"),
    ],
)
def test_errors_of_outputs(cart, output, inputs, message):
    with pytest.raises(liemech.InputError, match=message):
        cart.simulate(t_end=1.0, step=0.05, inputs=inputs, controller=(0.1, lambda state: output))


def test_errors_of_controllers(cart):
    with pytest.raises(TypeError, match="by the names of inputs, and it returned 1.0"):
        cart.simulate(t_end=1.0, step=0.05, controller=(0.1, lambda state: 1.0))
    with pytest.raises(liemech.SetupError, match="sampling period is 0.0"):
        cart.simulate(t_end=1.0, step=0.05, controller=(0.0, lambda state: {"push": 1.0, "wind": [0.0, 0.0]}))
    with pytest.raises(ValueError, match="has no derivatives"):
        cart.simulate(t_end=1.0, controller=(0.1, lambda state: {}), sensitivities=["v.x"])
