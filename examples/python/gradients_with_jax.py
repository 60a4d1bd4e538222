"""The gradient of a simulation in JAX (pip install jax): the stiffness and the amplitude of a spring from its positions."""

import jax
import jax.numpy as jnp
import numpy as np

import liemech

jax.config.update("jax_enable_x64", True)
spring = liemech.model("""
    #[configuration] pub struct Position { pub x: f64 }
    #[parameters] pub struct Spring { pub stiffness: f64 }
    #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
    #[potential] fn spring(p: &Spring, q: &Position) -> f64 { 0.5 * p.stiffness * q.x * q.x }
""")
times = np.linspace(0.2, 2.0, 10)
settings = {"q0": {"x": 0.8}, "t_end": 2.0, "t_eval": times, "rtol": 1e-10, "atol": 1e-12}
response = liemech.Response(spring.system(stiffness=3.0), ["stiffness", "q.x"], ["x"], **settings)


@jax.custom_vjp
def positions(x):
    return jax.pure_callback(response, jax.ShapeDtypeStruct((10, 1), float), x, vmap_method="sequential")


def forward(x):
    return positions(x), x


def backward(x, weights):
    shape = jax.ShapeDtypeStruct(x.shape, float)
    return (jax.pure_callback(response.vjp, shape, x, weights, vmap_method="sequential"),)


positions.defvjp(forward, backward)
measured = np.cos(2.0 * times)[:, None]
residuals = jax.jit(lambda x: (positions(x) - measured).ravel())
x = jnp.array(response.x0)
for _ in range(10):
    x = x - jnp.linalg.lstsq(jax.jacrev(residuals)(x), residuals(x))[0]
print("stiffness", x[0], "amplitude", x[1])
