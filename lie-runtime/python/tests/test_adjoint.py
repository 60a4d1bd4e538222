"""Gradients by a reverse pass, against forward sensitivities and closed forms."""

import numpy as np
import pytest
from scipy.optimize import minimize

import liemech


def test_oscillator_has_its_closed_form(spring):
    # x = x₀ cos(√k t) + v₀ sin(√k t) / √k.
    run = spring.simulate(
        parameters={"stiffness": 4.0},
        q0={"x": 1.0},
        t_end=1.0,
        step=0.01,
        t_eval=[0.5, 1.0],
        sensitivities=["stiffness", "q.x", "v.x"],
        adjoint={"x": [0.0, 2.0], "velocity.x": [[1.0], [0.0]]},
    )
    gradient = run.gradient
    assert gradient.names == ["stiffness", "q.x[0]", "v.x[0]"] and run.sensitivities is None
    sin, cos, half = np.sin(2.0), np.cos(2.0), [np.sin(1.0), np.cos(1.0)]
    expected = [-sin / 2.0 - 0.25 * half[0] - 0.25 * half[1], 2.0 * cos - 2.0 * half[0], sin + half[1]]
    np.testing.assert_allclose(gradient.derivatives, expected, atol=1e-9)
    assert gradient.value == pytest.approx(2.0 * cos - 2.0 * half[0], abs=1e-9)
    # The states of all steps.
    assert len(run) == 101


@pytest.mark.parametrize("method", ["hedop5", "rkmk4", "lie_alpha", "tr_bdf2"])
def test_heavy_top_agrees_with_forward_sensitivities(heavy_top, start, method):
    settings = {**start, "method": method, "t_end": 0.05, "step": 1e-3, "t_eval": [0.02, 0.05]}
    variables = ["mass", "inertia", "center_of_mass", "gravity", "q", "v"]
    outputs = ["attitude", "position", "velocity.attitude", "multipliers.pivot"]
    forward = heavy_top.simulate(**settings, sensitivities=variables)
    random = np.random.default_rng(1)
    shapes = [forward.sensitivities[name].shape[:2] for name in outputs]
    weights = {name: random.normal(size=shape) for name, shape in zip(outputs, shapes)}
    # A rotation has nine scalars: R δθ~.
    weights["attitude"] = random.normal(size=(2, 3, 3))
    generators = -np.array([[[0, 0, 0], [0, 0, 1], [0, -1, 0]], [[0, 0, -1], [0, 0, 0], [1, 0, 0]], [[0, 1, 0], [-1, 0, 0], [0, 0, 0]]])
    of_angles = np.einsum("nil,nij,djl->nd", weights["attitude"], forward["attitude"], generators)
    parts = [of_angles if name == "attitude" else weights[name] for name in outputs]
    expected = sum(np.einsum("nd,ndk->k", part, forward.sensitivities[name]) for part, name in zip(parts, outputs))
    gradient = heavy_top.simulate(**settings, sensitivities=variables, adjoint=weights).gradient
    assert gradient.names == forward.sensitivities.names
    np.testing.assert_allclose(gradient.derivatives, expected, atol=1e-10 * np.abs(expected).max())
    value = sum(np.sum(weights[name] * forward[name].reshape(weights[name].shape)) for name in outputs)
    assert gradient.value == pytest.approx(value, rel=1e-11)


@pytest.fixture(scope="module")
def chain() -> liemech.System:
    return liemech.model(
        """
        #[configuration] pub struct Nodes { pub nodes: Vec<f64> }
        #[parameters] pub struct Chain { pub stiffness: Vec<f64>, pub damping: f64 }
        #[kinetic_energy(over = nodes)] fn kinetic(v: &f64) -> f64 { 0.5 * v * v }
        #[potential(over = nodes)] fn support(p: &Chain, index: usize, x: &f64) -> f64 { 0.5 * p.stiffness[index] * x * x }
        #[potential(over = nodes.windows(2))] fn coupling([a, b]: [&f64; 2]) -> f64 { 0.5 * (b - a) * (b - a) }
        #[dissipation(over = nodes)] fn drag(p: &Chain, v: &f64) -> f64 { 0.5 * p.damping * v * v }
        """,
        lengths={"nodes": 12, "stiffness": 12},
    ).system(stiffness=np.linspace(1.0, 2.0, 12), damping=0.1)


def test_response_with_a_reverse_pass(chain):
    times = np.array([0.5, 1.0, 1.5, 2.0])
    settings = {"q0": {"nodes": np.sin(np.arange(12.0))}, "t_end": 2.0, "step": 0.05, "t_eval": times}
    outputs = [f"nodes[{at}]" for at in range(12)]
    responses = [liemech.Response(chain, ["stiffness"], outputs, adjoint=adjoint, **settings) for adjoint in (False, True)]
    x = responses[0].x0 * 1.1
    weights = np.random.default_rng(2).normal(size=(4, 12))
    forward, reverse = (response.vjp(x, weights) for response in responses)
    np.testing.assert_allclose(reverse, forward, rtol=1e-11, atol=1e-13)
    # Twelve stiffnesses from the motion.
    measured = responses[1](responses[1].x0)
    objective = responses[1].objective(lambda y: (0.5 * np.sum((y - measured) ** 2), y - measured))
    found = minimize(objective, np.full(12, 1.5), jac=True, method="BFGS", options={"gtol": 1e-9})
    np.testing.assert_allclose(found.x, np.linspace(1.0, 2.0, 12), atol=1e-5)


def test_declared_events_and_interrupts(spring):
    settings = {"parameters": {"stiffness": 4.0}, "q0": {"x": 1.0}, "step": 0.01, "sensitivities": ["stiffness", "q.x"]}
    run = spring.simulate(**settings, t_end=1.0, t_eval=[1.0], adjoint={"x": [1.0]}, events=["center"])
    assert [event.name for event in run.events] == ["center"]
    np.testing.assert_allclose(run.gradient.derivatives, [-np.sin(2.0) / 4.0, np.cos(2.0)], atol=1e-9)

    def progress(time):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        spring.simulate(**settings, t_end=3000.0, t_eval=[3000.0], adjoint={"x": [1.0]}, progress=progress)


def test_errors(spring, heavy_top, start):
    system = spring.system(stiffness=4.0)
    settings = {"q0": {"x": 1.0}, "t_end": 1.0, "step": 0.01, "t_eval": [1.0], "sensitivities": ["stiffness"]}

    def fails(error, message, adjoint={"x": [1.0]}, **more):
        with pytest.raises(error, match=message):
            system.simulate(**{**settings, **more}, adjoint=adjoint)

    fails(ValueError, "needs the times", t_eval=None)
    fails(ValueError, "needs the times", sensitivities=[])
    fails(ValueError, "use one row for each of 1 times, with 1 columns", {"x": [1.0, 2.0]})
    fails(liemech.ModelError, "no value `y`", {"y": [1.0]})
    fails(liemech.SensitivityError, "steps end at 0.5 and 0.51; choose a step that divides the times, with `step=...`", t_eval=[0.505])
    fails(liemech.SensitivityError, "`cf4` has no reverse pass", method="cf4")
    fails(liemech.SensitivityError, "stiffnes", sensitivities=["stiffnes"])
    fails(ValueError, "has no derivatives", controller=(0.1, lambda state: {}))
    fails(ValueError, "contacts have no derivatives", contacts={"floor": 0.5})
    with pytest.raises(liemech.SimulationError) as caught:
        system.simulate(**settings, adjoint={"x": [1.0]}, max_steps=2)
    # Two steps are not enough for a hundred.
    assert caught.value.kind == "Setup"
    moved = {"q0": {"position": [0.0, 1.001, 0.0]}, "v0": start["v0"], "t_end": 0.01, "step": 1e-3, "t_eval": [0.01]}
    with pytest.raises(liemech.SensitivityError, match=r"the initial values were corrected.*`run.state\(0\)`"):
        heavy_top.simulate(**moved, sensitivities=["mass"], adjoint={"position": np.ones((1, 3))})
