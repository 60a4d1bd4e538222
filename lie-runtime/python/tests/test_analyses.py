"""Equilibria, modes and restarts against closed forms."""

import pickle

import numpy as np
import pytest
from test_values import GROUPS, PARAMETERS

import liemech


@pytest.fixture(scope="module")
def pendulum() -> liemech.System:
    """A point mass of 2 kg on a rod of 1 m with a spring that pulls sideways and a damper."""
    model = liemech.model("""
        #[configuration] pub struct Place { pub position: R2 }
        #[parameters] pub struct Data { pub pull: f64, pub damping: f64 }
        #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { v.position.norm_squared() }
        #[potential] fn energy(p: &Data, q: &Place) -> f64 { 2.0 * 9.81 * q.position.y - p.pull * q.position.x }
        #[dissipation] fn damper(p: &Data, v: &Velocity) -> f64 { 0.5 * p.damping * v.position.norm_squared() }
        #[constraint] fn rod(q: &Place) -> f64 { q.position.norm() - 1.0 }
        #[observable] fn height(q: &Place) -> f64 { q.position.y }
    """)
    return model.system(pull=10.0, damping=0.5)


def test_equilibrium_and_modes_of_a_pendulum(pendulum):
    rest = pendulum.equilibrium({"position": [0.2, -1.1]})
    force = np.array([10.0, -2.0 * 9.81])
    size = np.linalg.norm(force)
    np.testing.assert_allclose(rest["position"], force / size, atol=1e-10)
    # The rod carries the load, along the decreasing length.
    np.testing.assert_allclose(rest.reactions["rod"], [-size], rtol=1e-9)
    assert rest["height"] == rest["position"][1] and rest.iterations > 0 and rest.constraint_residual < 1e-12
    # A pendulum in the field F/m with damping: s² + (c/m) s + F/(m l) = 0.
    linear = pendulum.linearise(rest.configuration, outputs=["q.position[0]", "height"])
    expected = np.roots([1.0, 0.25, size / 2.0])
    np.testing.assert_allclose(linear.eigenvalues, expected[expected.imag > 0.0], rtol=1e-9)
    np.testing.assert_allclose(np.sort_complex(np.linalg.eigvals(linear.state_matrix)), np.sort_complex(expected), rtol=1e-9)
    assert linear.coordinates == 1 and linear.outputs == ["q.position[0]", "height"]
    # The output is the motion along the circle.
    np.testing.assert_allclose(linear.output_matrix[:, 0] @ force, 0.0, atol=1e-9)
    shape = linear.shapes["position"]
    assert shape.shape == (1, 2) and abs(shape[0] @ force) < 1e-9 * size and np.abs(shape).max() == pytest.approx(1.0)
    assert linear.damping_ratios[0] == pytest.approx(0.125 / np.sqrt(size / 2.0), rel=1e-9)


def test_modes_of_a_spinning_body():
    # Free body of revolution: nutation with (C − A) n / A in the rotating axes, C n / A in axes that do not spin.
    body = liemech.model("""
        #[configuration] pub struct Attitude { pub attitude: SO3 }
        #[parameters] pub struct Body { pub moments: Vector3<f64> }
        #[kinetic_energy] fn kinetic(p: &Body, v: &Velocity) -> f64 {
            0.5 * v.attitude.dot(&p.moments.component_mul(&v.attitude))
        }
    """).system(moments=[2.0, 2.0, 3.0])
    spin = {"attitude": [0.0, 0.0, 4.0]}
    assert body.linearise(v0=spin).frequencies.max() == pytest.approx(4.0, rel=1e-6)
    assert body.linearise(v0=spin, spin=spin).frequencies.max() == pytest.approx(3.0 * 4.0 / 2.0, rel=1e-6)


def test_state_space_of_a_driven_system():
    # A carriage on a spring, and a body that it carries: members of several kinds.
    system = liemech.model("""
        #[configuration] pub struct Place { pub attitude: SO3, pub rail: f64, pub position: R3 }
        #[parameters] pub struct Data { pub mass: f64, pub stiffness: f64, pub damping: f64 }
        #[inputs] pub struct Inputs { pub push: f64, pub torque: Vector3<f64> }
        #[kinetic_energy] fn kinetic(p: &Data, v: &Velocity) -> f64 {
            0.5 * p.mass * v.rail * v.rail + 0.5 * v.position.norm_squared() + v.attitude.norm_squared()
        }
        #[potential] fn spring(p: &Data, q: &Place) -> f64 {
            0.5 * p.stiffness * q.rail * q.rail + 0.5 * q.position.norm_squared() - (q.attitude * Vector3::z()).z
                - (q.attitude * Vector3::x()).x
        }
        #[dissipation] fn damper(p: &Data, v: &Velocity) -> f64 { 0.5 * p.damping * v.rail * v.rail }
        #[force(on = rail)] fn motor(u: &Inputs) -> f64 { u.push }
        #[force(on = attitude)] fn wheel(u: &Inputs) -> Vector3<f64> { u.torque }
    """).system(mass=2.0, stiffness=50.0, damping=3.0)
    inputs = {"push": 5.0, "torque": [0.0, 0.0, 0.0]}
    rest = system.equilibrium(inputs=inputs)
    assert float(rest["rail"]) == pytest.approx(5.0 / 50.0, rel=1e-9)
    linear = system.linearise(rest.configuration, inputs=inputs, outputs=["q.rail", "v.rail", "q.position[1]"])
    a, b, c, d = linear.state_space()
    assert linear.inputs == ["push", "torque[0]", "torque[1]", "torque[2]"]
    assert a.shape == (14, 14) and b.shape == (14, 4) and c.shape == (3, 14) and d.shape == (3, 4)
    for s in (0.7j, 4.0 + 1.0j):
        response = c @ np.linalg.solve(s * np.eye(14) - a, b) + d
        expected = 1.0 / (2.0 * s * s + 3.0 * s + 50.0)
        np.testing.assert_allclose(response[:, 0], [expected, s * expected, 0.0], atol=1e-9)
        np.testing.assert_allclose(response[:, 1:], 0.0, atol=1e-9)
    # The deviations of a member follow from the coordinates: z' of the carriage is its speed.
    z, w = linear.coordinate_basis, linear.speed_basis
    assert z["rail"].shape == (1, 7) and w["attitude"].shape == (3, 7) and z["position"].shape == (3, 7)
    for member in ("attitude", "rail", "position"):
        np.testing.assert_allclose(z[member] @ a[:7, 7:], w[member], atol=1e-9)
    np.testing.assert_allclose(w["rail"] @ b[7:, :], [[0.5, 0.0, 0.0, 0.0]], atol=1e-9)
    np.testing.assert_allclose(w["attitude"] @ b[7:, 1:], 0.5 * np.eye(3), atol=1e-9)


def test_errors_of_analyses(pendulum):
    with pytest.raises(liemech.LinearisationError, match="rod"):
        pendulum.linearise({"position": [0.0, -1.2]})
    free = liemech.model("""
        #[configuration] pub struct Place { pub x: f64 }
        #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
    """).system()
    with pytest.raises(liemech.EquilibriumError, match="`x`"):
        free.equilibrium()


def test_runs_restart_from_states(pendulum):
    settings = {"rtol": 1e-10, "atol": 1e-12}
    whole = pendulum.simulate(q0={"position": [1.0, 0.0]}, t_end=1.0, **settings)
    first = pendulum.simulate(q0={"position": [1.0, 0.0]}, t_end=0.5, **settings)
    state = pickle.loads(pickle.dumps(first)).state()
    assert state.t == 0.5
    second = pendulum.simulate(q0=state.configuration, v0=state.velocity, t_start=state.t, t_end=1.0, **settings)
    np.testing.assert_allclose(second["position"][-1], whole["position"][-1], atol=1e-8)


def test_states_of_all_groups_are_initial_values():
    system = liemech.model(GROUPS).system(PARAMETERS)
    members = system.model.members
    v0 = {name: 0.1 * np.arange(1, member.dof + 1) for name, member in members.items()}
    run = system.simulate(v0=v0, t_end=0.7)
    state = run.state()
    again = system.simulate(q0=state.configuration, v0=state.velocity, t_end=0.0).state()
    assert set(state) == set(again)
    for name in state:
        if name.startswith(("configuration.", "velocity.", "energy.")):
            np.testing.assert_allclose(again[name], state[name], rtol=1e-12, atol=1e-12, err_msg=name)


def test_periodic_orbits():
    # The period of a pendulum from a right angle is 4 K(1/√2).
    pendulum = liemech.model("""
        #[configuration] pub struct Angle { pub theta: f64 }
        #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.theta * v.theta }
        #[potential] fn weight(q: &Angle) -> f64 { -q.theta.cos() }
    """).system()
    orbit = pendulum.periodic_orbit({"theta": np.pi / 2.0}, period_guess=7.4)
    assert orbit.period == pytest.approx(7.416298709205487, abs=0.05) and orbit.defect < 1e-10
    np.testing.assert_allclose(np.abs(orbit.multipliers), 1.0, atol=1e-3)
    assert orbit.monodromy.shape == (2, 2) and np.linalg.det(orbit.monodromy) == pytest.approx(1.0, abs=1e-8)
    again = pendulum.simulate(q0=orbit.configuration, v0=orbit.velocity, t_end=orbit.period, step=orbit.period / 400)
    assert again["theta"][-1] == pytest.approx(float(orbit["theta"]), abs=1e-9)
    # A driven and damped oscillator: x'' + 0.2 x' + 4 x = cos t.
    driven = liemech.model("""
        #[configuration] pub struct Position { pub x: f64 }
        #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
        #[potential] fn spring(t: f64, q: &Position) -> f64 { 2.0 * q.x * q.x - q.x * t.cos() }
        #[dissipation] fn damper(v: &Velocity) -> f64 { 0.1 * v.x * v.x }
    """).system()
    found = driven.periodic_orbit(period=2.0 * np.pi)
    assert found["x"] == pytest.approx((1.0 / (3.0 + 0.2j)).real, abs=1e-9)
    assert found.growth == pytest.approx(np.exp(-0.1 * 2.0 * np.pi), rel=1e-6)
    with pytest.raises(liemech.OrbitError):
        pendulum.periodic_orbit({"theta": 1.0}, {"theta": 5.0}, period_guess=3.0)
    with pytest.raises(ValueError, match="period_guess"):
        pendulum.periodic_orbit({"theta": 1.0})


def test_periodic_orbits_with_inputs():
    # x'' + 0.2 x' + 4 x = u
    driven = liemech.model("""
        #[configuration] pub struct Position { pub x: f64 }
        #[inputs] pub struct Inputs { pub push: f64 }
        #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
        #[potential] fn spring(q: &Position) -> f64 { 2.0 * q.x * q.x }
        #[dissipation] fn damper(v: &Velocity) -> f64 { 0.1 * v.x * v.x }
        #[force(on = x)] fn motor(u: &Inputs) -> f64 { u.push }
    """).system()
    period = 2.0 * np.pi
    times = np.linspace(0.0, period, 2001)
    push = np.cos(times)
    push[-1] = push[0]
    found = driven.periodic_orbit(period=period, inputs={"push": (times, push)})
    # The linear interpolation of the table has a relative error of dt²/12.
    assert found["x"] == pytest.approx((1.0 / (3.0 + 0.2j)).real, abs=1e-6)
    assert found["inputs.push"] == 1.0
    # A constant force moves the centre of the orbit of an undamped oscillator.
    pendulum = liemech.model("""
        #[configuration] pub struct Angle { pub theta: f64 }
        #[inputs] pub struct Inputs { pub torque: f64 }
        #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.theta * v.theta }
        #[potential] fn spring(q: &Angle) -> f64 { 0.5 * q.theta * q.theta }
        #[force(on = theta)] fn motor(u: &Inputs) -> f64 { u.torque }
    """).system()
    orbit = pendulum.periodic_orbit({"theta": 3.0}, period_guess=6.2, inputs={"torque": 2.0})
    assert orbit.period == pytest.approx(period, rel=1e-6)
    half = pendulum.simulate(
        q0=orbit.configuration, v0=orbit.velocity, t_end=orbit.period / 2.0, inputs={"torque": 2.0}, rtol=1e-10, atol=1e-12
    )
    assert half["theta"][0] + half["theta"][-1] == pytest.approx(4.0, abs=1e-6)
    with pytest.raises(ValueError, match="is a function of time"):
        pendulum.periodic_orbit({"theta": 3.0}, period_guess=6.2, inputs={"torque": (times, push)})
    for table in ((times, times), (2.0 * times, push)):
        with pytest.raises(ValueError, match="must contain one period"):
            driven.periodic_orbit(period=period, inputs={"push": table})
