"""Derivatives of runs against closed forms and differences."""

import pickle

import numpy as np
import pytest

import liemech


def test_oscillator_has_its_closed_form(spring):
    # x = cos(√k t): ∂x/∂k = −t sin(√k t) / 2√k, ∂x/∂x₀ = cos(√k t), and the event at π / 2√k.
    run = spring.simulate(
        parameters={"stiffness": 4.0},
        q0={"x": 1.0},
        t_end=1.0,
        rtol=1e-10,
        atol=1e-12,
        events=["center"],
        sensitivities=["stiffness", "q.x"],
    )
    assert run.sensitivities.names == ["stiffness", "q.x[0]"]
    t, x, v = run.t, run.sensitivities["x"], run.sensitivities["velocity.x"]
    assert x.shape == (len(t), 1, 2)
    np.testing.assert_allclose(x[:, 0, 0], -t * np.sin(2.0 * t) / 4.0, atol=1e-8)
    np.testing.assert_allclose(x[:, 0, 1], np.cos(2.0 * t), atol=1e-8)
    np.testing.assert_allclose(v[:, 0, 1], -2.0 * np.sin(2.0 * t), atol=1e-8)
    np.testing.assert_allclose(run.sensitivities.event_times, [[-np.pi / 4.0 / 8.0, 0.0]], atol=1e-7)
    # The values are those of the run without derivatives.
    plain = spring.simulate(parameters={"stiffness": 4.0}, q0={"x": 1.0}, t_end=1.0, rtol=1e-10, atol=1e-12)
    assert plain.sensitivities is None
    np.testing.assert_allclose(run["x"][-1], plain["x"][-1], rtol=1e-12)
    again = pickle.loads(pickle.dumps(run))
    np.testing.assert_array_equal(again.sensitivities["x"], x)


def test_heavy_top_agrees_with_differences(heavy_top, start):
    settings = {**start, "t_end": 0.1, "step": 1e-3, "t_eval": [0.1]}
    run = heavy_top.simulate(**settings, sensitivities=["mass", "v.attitude[1]"])
    assert run.sensitivities["attitude"].shape == (1, 3, 2) and run.sensitivities["multipliers.pivot"].shape == (1, 3, 2)

    def at(change):
        other = heavy_top.replace(mass=15.0 + change).simulate(**settings)
        return {name: other[name][0] for name in ("attitude", "position", "multipliers.pivot")}

    plus, minus, h = at(1e-3), at(-1e-3), 1e-3
    for name in ("position", "multipliers.pivot"):
        difference = (plus[name] - minus[name]) / (2.0 * h)
        np.testing.assert_allclose(run.sensitivities[name][0, :, 0], difference, rtol=1e-5, atol=1e-7)
    # R⁻¹ δR is skew-symmetric, and its entries are δθ.
    turned = run["attitude"][0].T @ (plus["attitude"] - minus["attitude"]) / (2.0 * h)
    theta = [turned[2, 1], turned[0, 2], turned[1, 0]]
    np.testing.assert_allclose(run.sensitivities["attitude"][0, :, 0], theta, rtol=1e-5, atol=1e-7)


def test_errors_of_sensitivities(spring):
    system = spring.system(stiffness=4.0)
    with pytest.raises(liemech.SensitivityError, match="stiffnes"):
        system.simulate(q0={"x": 1.0}, t_end=1.0, sensitivities=["stiffnes"])
    with pytest.raises(liemech.SimulationError) as caught:
        system.simulate(q0={"x": 1.0}, t_end=1.0, sensitivities=["stiffness"], max_steps=2)
    assert caught.value.kind == "Limit" and len(caught.value.run) == 3
    with pytest.raises(ValueError, match="monitor_energy"):
        system.simulate(q0={"x": 1.0}, t_end=1.0, sensitivities=["stiffness"], monitor_energy=True)


def test_dry_friction_has_no_derivatives():
    sled = liemech.model("""
        #[configuration] pub struct Place { pub x: f64 }
        #[parameters] pub struct Data { pub force: f64, pub slip: i32 }
        #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
        #[potential] fn pull(p: &Data, q: &Place) -> f64 { -p.force * q.x }
        #[velocity_constraint(bound = 0.5, slip = p.slip)] fn ground(p: &Data, v: &Velocity) -> f64 { v.x }
    """).system(force=2.0)
    run = sled.simulate(v0={"x": 1.0}, t_end=1.0, step=0.1)
    np.testing.assert_allclose(run["x"][-1], 1.0 + 0.75)
    # Without the events of the friction, the sled would stick for ever.
    for adjoint in (None, {"x": [1.0]}):
        with pytest.raises(liemech.SensitivityError, match="dry friction has no derivatives"):
            sled.simulate(v0={"x": 1.0}, t_end=1.0, step=0.1, t_eval=[1.0], sensitivities=["force"], adjoint=adjoint)


def test_ctrl_c_ends_every_run(spring):
    calls = []

    def progress(time_of_motion):
        calls.append(time_of_motion)
        # The first run has ended when the time goes backwards.
        if len(calls) > 1 and time_of_motion < calls[-2]:
            raise KeyboardInterrupt

    with pytest.raises(liemech.Interrupted):
        spring.simulate(
            parameters={"stiffness": 1.0},
            q0={"x": 1.0},
            t_end=200.0,
            step=1e-3,
            method="rkmk4",
            output_every=1000,
            progress=progress,
            sensitivities=["stiffness", "q.x", "v.x"],
        )
    assert max(calls) <= 200.0 and len(calls) >= 2
