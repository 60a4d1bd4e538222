"""Results of runs against references and closed forms."""

import json
from pathlib import Path

import numpy as np
import pytest

import liemech

REFERENCE = json.loads((Path(__file__).parent / "heavy_top.json").read_text())


@pytest.mark.parametrize(("method", "tolerance"), [("hedop5", 1e-9), ("herk4", 1e-7)])
def test_heavy_top_has_its_reference(heavy_top, start, method, tolerance):
    control = {"step": 2e-4} if method == "herk4" else {"rtol": 1e-10, "atol": 1e-12}
    run = heavy_top.simulate(**start, t_end=1.0, t_eval=[1.0], method=method, full_order_multipliers=True, **control)
    assert run.method == method and run.t.tolist() == [1.0]
    last = {name: run[name][-1] for name in ("attitude", "position", "velocity.attitude", "velocity.position")}
    np.testing.assert_allclose(last["attitude"], REFERENCE["R"], atol=tolerance)
    np.testing.assert_allclose(last["position"], REFERENCE["x"], atol=tolerance)
    np.testing.assert_allclose(last["velocity.attitude"], REFERENCE["Omega"], atol=100 * tolerance)
    np.testing.assert_allclose(last["velocity.position"], REFERENCE["xdot"], atol=100 * tolerance)
    np.testing.assert_allclose(run["multipliers.pivot"][-1], REFERENCE["multipliers"], atol=1e5 * tolerance)
    assert run.energy[-1] == pytest.approx(REFERENCE["total_energy"], rel=tolerance)


def test_invariants_of_the_heavy_top(heavy_top, start):
    run = heavy_top.simulate(**start, t_end=0.5, rtol=1e-9, atol=1e-11)
    attitude = run["attitude"]
    np.testing.assert_allclose(np.swapaxes(attitude, 1, 2) @ attitude, np.broadcast_to(np.eye(3), attitude.shape), atol=1e-13)
    np.testing.assert_allclose(np.linalg.det(attitude), 1.0, atol=1e-13)
    assert np.ptp(run.energy) < 1e-6 * run.energy[0]
    # Symmetric about its axis: the spin is constant.
    np.testing.assert_allclose(run["velocity.attitude"][:, 1], 150.0, rtol=1e-9)
    # The pivot: R X = x.
    np.testing.assert_allclose(attitude @ [0.0, 1.0, 0.0], run["position"], atol=1e-8)
    # The kinetic energy from the arrays.
    omega, velocity = run["velocity.attitude"], run["velocity.position"]
    kinetic = 0.5 * (omega**2 @ [0.234375, 0.46875, 0.234375]) + 7.5 * (velocity**2).sum(axis=1)
    np.testing.assert_allclose(run["energy.kinetic"], kinetic, rtol=1e-13)


def test_reaction_carries_the_weight():
    hanging = liemech.model("""
        #[configuration] pub struct Pose { pub position: R3 }
        #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { v.position.norm_squared() }
        #[potential] fn weight(q: &Pose) -> f64 { 2.0 * 9.81 * q.position.z }
        #[constraint] fn rod(q: &Pose) -> f64 { q.position.norm() - 1.0 }
    """)
    run = hanging.simulate(q0={"position": [0.0, 0.0, -1.0]}, t_end=0.1)
    # The rod pulls along the decreasing length with the weight, 2 kg times 9.81 m/s².
    np.testing.assert_allclose(run.reactions["rod"], -2.0 * 9.81 * np.ones((len(run), 1)), rtol=1e-12)
    assert list(run.reactions) == ["rod"] and len(run.reactions) == 1
    with pytest.raises(liemech.ColumnError, match="did you mean `rod`"):
        run.reactions["rood"]


def test_oscillator_is_a_cosine(spring):
    times = np.linspace(0.0, 3.0, 31)
    run = spring.simulate(parameters={"stiffness": 4.0}, q0={"x": 1.0}, t_end=3.0, t_eval=times, rtol=1e-10, atol=1e-12)
    np.testing.assert_array_equal(run.t, times)
    np.testing.assert_allclose(run["x"], np.cos(2.0 * times), atol=1e-8)
    np.testing.assert_allclose(run["velocity.x"], -2.0 * np.sin(2.0 * times), atol=1e-8)
    np.testing.assert_allclose(run["force"], -4.0 * run["x"], rtol=1e-14)
    # The start time shifts the motion.
    late = spring.simulate(parameters={"stiffness": 4.0}, q0={"x": 1.0}, t_start=5.0, t_end=8.0, rtol=1e-10, atol=1e-12)
    assert late.t[0] == 5.0 and late["x"][-1] == pytest.approx(np.cos(6.0), abs=1e-8)


def test_declared_events(spring):
    system = spring.system({"stiffness": 4.0})
    settings = {"q0": {"x": 1.0}, "t_end": 3.0, "rtol": 1e-10, "atol": 1e-12}
    run = system.simulate(**settings, events=["center"])
    np.testing.assert_allclose([event.time for event in run.events], [np.pi / 4, 3 * np.pi / 4], atol=1e-9)
    assert [event.rising for event in run.events] == [False, True] and run.stopped is None
    assert run.events[0].before["velocity.x"] == pytest.approx(-2.0) and run.events[0].after is None
    assert run.events[0].before["force"] == pytest.approx(0.0, abs=1e-8)
    rising = system.simulate(**settings, events={"center": liemech.Event(direction=1, stop=True)})
    assert [event.rising for event in rising.events] == [True]
    assert rising.stopped == pytest.approx(3 * np.pi / 4) and rising.t[-1] == rising.stopped


def test_settings_reach_the_run(spring):
    system = spring.system(stiffness=4.0)
    fixed = system.simulate(q0={"x": 1.0}, t_end=1.0, step=0.1, method="rkmk4", output_every=5)
    np.testing.assert_allclose(fixed.t, [0.0, 0.5, 1.0], rtol=1e-15)
    assert fixed.statistics["accepted"] == 10
    coarse, fine = (system.simulate(q0={"x": 1.0}, t_end=1.0, rtol=tolerance, atol=tolerance) for tolerance in (1e-3, 1e-9))
    assert len(fine) > 2 * len(coarse)
    short = system.simulate(q0={"x": 1.0}, t_end=1.0, max_step=0.01)
    assert np.diff(short.t).max() <= 0.01 + 1e-15
    audited = system.simulate(q0={"x": 1.0}, t_end=1.0, monitor_energy=True)
    assert audited.statistics["energy_defect"] < 1e-6 and "balance.energy" in audited
    # The damping of the method removes energy.
    with pytest.warns(liemech.RunWarning):
        damped, undamped = (
            system.simulate(q0={"x": 1.0}, t_end=3.0, step=0.05, method="lie_alpha", options={"rho_inf": damping})
            for damping in (0.2, 1.0)
        )
    assert damped.energy[-1] < 0.999 * damped.energy[0] and np.ptp(undamped.energy) < 0.3 * np.ptp(damped.energy)


def test_methods_have_unique_names():
    methods = liemech.methods()
    names = [method["id"] for method in methods]
    assert len(names) == len(set(names)) > 50
    hedop5 = methods[names.index("hedop5")]
    assert hedop5["order"] == 5 and hedop5["controls_step"]


CART = """
#[mechanical_system]
mod cart {
    #[configuration] pub struct Rail { pub x: R2 }
    #[parameters] pub struct Data { pub stop: i32 }
    #[inputs] pub struct Inputs { pub push: Vector2<f64>, pub slope: f64 }
    #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x.norm_squared() }
    #[potential] fn weight(q: &Rail, u: &Inputs) -> f64 { u.slope * q.x.x }
    #[force(on = x)] fn motor(u: &Inputs) -> Vector2<f64> { u.push }
    #[constraint(upper = 2.0, stop = p.stop)] fn rail(p: &Data, q: &Rail) -> f64 { q.x.x }
}
"""


def test_inputs_are_constants_or_tables():
    cart = liemech.model(CART)
    run = cart.simulate(inputs={"push": [3.0, 1.0], "slope": 1.0}, t_end=1.0)
    np.testing.assert_allclose(run["x"][-1], [1.0, 0.5], rtol=1e-7)
    rows = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0]]
    table = cart.simulate(inputs={"push": ([0.0, 1.0, 3.0], rows), "slope": 0.0}, t_end=3.0, contacts={"rail": 0.5})
    assert table.events[0].name == "rail upper"
    with pytest.warns(liemech.RunWarning, match=r"`contacts={\"rail upper\": e}`"):
        cart.simulate(inputs={"push": [0.0, 0.0], "slope": 0.0}, t_end=1.0)
    assert table.events[0].time == pytest.approx(0.5 + (23.0 / 12.0) ** 0.5, abs=1e-5)
    assert table["velocity.x"][-1][1] == pytest.approx(1.0, abs=1e-6)
    with pytest.raises(liemech.SimulationError, match=r"missing inputs `push` and `slope`: set `inputs={\"push\": 0.0}`"):
        cart.simulate(t_end=1.0)
    with pytest.raises(liemech.ModelError, match="no input `pusher`"):
        cart.simulate(inputs={"pusher": 1.0}, t_end=1.0)
    with pytest.raises(ValueError, match="one value for each"):
        cart.simulate(inputs={"push": ([0.0, 1.0], [1.0])}, t_end=1.0)
