"""Runs as differentiable functions, and their use by optimisers."""

import runpy
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import least_squares, minimize

import liemech

TIMES = np.linspace(0.2, 2.0, 10)
EXAMPLES = Path(__file__).parents[3] / "examples/python"


@pytest.fixture(scope="module")
def response(spring):
    settings = {"q0": {"x": 0.5}, "t_end": 2.0, "t_eval": TIMES, "rtol": 1e-10, "atol": 1e-12}
    return liemech.Response(spring.system(stiffness=3.0), ["stiffness", "q.x"], ["x", "velocity.x"], **settings)


def exact(x):
    omega = np.sqrt(x[0])
    angle = omega * TIMES
    return np.stack([x[1] * np.cos(angle), -omega * x[1] * np.sin(angle)], axis=1)


def test_values_and_derivatives_of_an_oscillator(response):
    assert response.names == ["stiffness", "q.x[0]"]
    np.testing.assert_array_equal(response.x0, [3.0, 0.5])
    x, h = np.array([2.0, 0.7]), 1e-6
    np.testing.assert_allclose(response(x), exact(x), atol=1e-8)
    expected = [(exact(x + d) - exact(x - d)) / (2.0 * h) for d in h * np.eye(2)]
    np.testing.assert_allclose(response.jacobian(x), np.stack(expected, axis=2), atol=1e-8)
    weights = np.arange(20.0).reshape(10, 2)
    np.testing.assert_allclose(response.vjp(x, weights), np.tensordot(weights, response.jacobian(x), 2), rtol=1e-14)


def test_fits_with_scipy(response):
    measured = exact([4.0, 1.0])
    fit = least_squares(
        lambda x: (response(x) - measured).ravel(), response.x0, jac=lambda x: response.jacobian(x).reshape(-1, 2), xtol=1e-14
    )
    np.testing.assert_allclose(fit.x, [4.0, 1.0], atol=1e-8)
    objective = response.objective(lambda y: (0.5 * np.sum((y - measured) ** 2), y - measured))
    found = minimize(objective, response.x0, jac=True, method="BFGS", options={"gtol": 1e-9})
    np.testing.assert_allclose(found.x, [4.0, 1.0], atol=1e-7)


def test_derivatives_of_rotations_matrices_and_components(heavy_top, start):
    settings = {**start, "t_end": 0.05, "step": 1e-3, "t_eval": [0.02, 0.05]}
    variables = ["mass", "inertia[1][1]", "v.attitude[2]"]
    outputs = ["attitude", "position", "velocity.attitude", "multipliers.pivot"]
    # The velocity must satisfy the constraint; the correction has derivatives, too.
    response = liemech.Response(heavy_top, variables, outputs, fix_initial=["attitude"], max_initial_correction=1.0, **settings)
    assert response.names == variables
    np.testing.assert_array_equal(response.x0, [15.0, 0.46875, -4.61538])
    jacobian, h = response.jacobian(response.x0), 1e-5
    assert jacobian.shape == (2, 9 + 3 + 3 + 3, 3)
    for at, direction in enumerate(h * np.diag(np.abs(response.x0))):
        size = direction[at]
        difference = (response(response.x0 + direction) - response(response.x0 - direction)) / (2.0 * size)
        np.testing.assert_allclose(jacobian[:, :, at], difference, rtol=1e-5, atol=1e-5 * np.abs(difference).max())


def test_quaternions():
    body = liemech.model("""
        #[configuration] pub struct Pose { pub attitude: S3 }
        #[parameters] pub struct Body { pub inertia: Matrix3<f64> }
        #[kinetic_energy] fn kinetic(p: &Body, v: &Velocity) -> f64 { 0.5 * v.attitude.dot(&(p.inertia * v.attitude)) }
    """).system(inertia=np.diag([1.0, 2.0, 3.0]))
    settings = {"v0": {"attitude": [0.3, 2.0, 0.1]}, "t_end": 1.0, "step": 0.01, "t_eval": [1.0]}
    response = liemech.Response(body, ["inertia[0][0]", "v.attitude"], ["attitude"], **settings)
    jacobian, h = response.jacobian(response.x0), 1e-6
    expected = [(response(response.x0 + d) - response(response.x0 - d)) / (2.0 * h) for d in h * np.eye(4)]
    np.testing.assert_allclose(jacobian, np.stack(expected, axis=2), atol=1e-8)
    with pytest.raises(ValueError, match="not a component of a vector"):
        liemech.Response(body, ["q.attitude"], ["attitude"], **settings)


@pytest.mark.parametrize("package", ["jax", "torch"])
def test_automatic_differentiation(package, capsys):
    pytest.importorskip(package)
    found = runpy.run_path(str(EXAMPLES / f"gradients_with_{package}.py"))
    # The stiffness and the amplitude of the measured motion.
    np.testing.assert_allclose(found["x"].tolist(), [4.0, 1.0], atol=1e-6)
    assert "stiffness" in capsys.readouterr().out


def test_the_gradient_in_torch_agrees_with_differences():
    torch = pytest.importorskip("torch")
    found = runpy.run_path(str(EXAMPLES / "gradients_with_torch.py"))
    positions = found["Positions"].apply
    x = torch.tensor([3.0, 0.8], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(positions, (x,), eps=1e-5, atol=1e-6)
    # A second derivative does not exist, and it is not zero.
    (gradient,) = torch.autograd.grad(positions(x).square().sum(), x, create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        gradient.sum().backward()


@pytest.mark.parametrize("adjoint", [False, True])
def test_shapes_of_arguments_are_checked(spring, adjoint):
    settings = {"q0": {"x": 1.0}, "t_end": 1.0, "t_eval": [0.5, 1.0], "step": 0.05, "adjoint": adjoint}
    response = liemech.Response(spring.system(stiffness=3.0), ["stiffness"], ["x"], **settings)
    assert response.vjp([3.0], np.ones((2, 1))).shape == (1,)
    with pytest.raises(ValueError, match="x has 2 components, and the variables have 1: stiffness"):
        response([1.0, 2.0])
    for weights in (np.ones(2), np.ones((1, 1)), np.ones((2, 2))):
        with pytest.raises(ValueError, match=r"the outputs have the shape \(2, 1\)"):
            response.vjp([3.0], weights)
