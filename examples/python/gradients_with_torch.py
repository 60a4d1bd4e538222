"""The gradient of a simulation in PyTorch (pip install torch): the stiffness and the amplitude of a spring from its positions."""

import numpy as np
import torch

import liemech

spring = liemech.model("""
    #[configuration] pub struct Position { pub x: f64 }
    #[parameters] pub struct Spring { pub stiffness: f64 }
    #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
    #[potential] fn spring(p: &Spring, q: &Position) -> f64 { 0.5 * p.stiffness * q.x * q.x }
""")
times = np.linspace(0.2, 2.0, 10)
settings = {"q0": {"x": 0.8}, "t_end": 2.0, "t_eval": times, "rtol": 1e-10, "atol": 1e-12}
response = liemech.Response(spring.system(stiffness=3.0), ["stiffness", "q.x"], ["x"], **settings)


class Positions(torch.autograd.Function):
    @staticmethod
    def forward(context, x):
        context.save_for_backward(x)
        return torch.from_numpy(response(x.detach().numpy()))

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(context, weights):
        (x,) = context.saved_tensors
        return torch.from_numpy(response.vjp(x.detach().numpy(), weights.numpy()))


measured = torch.from_numpy(np.cos(2.0 * times)[:, None])
x = torch.tensor(response.x0, requires_grad=True)
optimiser = torch.optim.LBFGS([x], lr=1.0, max_iter=50, tolerance_grad=1e-10, tolerance_change=1e-14, line_search_fn="strong_wolfe")


def loss():
    optimiser.zero_grad()
    value = 0.5 * torch.sum((Positions.apply(x) - measured) ** 2)
    value.backward()
    return value


optimiser.step(loss)
print("stiffness", x[0].item(), "amplitude", x[1].item())
