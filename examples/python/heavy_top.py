"""A heavy top that spins at 150 rad/s about its axis, held at a fixed point. The program prints the summary and writes heavy_top.png."""

import numpy as np

import liemech

top = liemech.model("""
    #[configuration]
    pub struct Pose { pub attitude: SO3, pub position: R3 }

    #[parameters]
    pub struct Top { pub mass: f64, pub inertia: Matrix3<f64>, pub center_of_mass: Vector3<f64> }

    #[kinetic_energy]
    fn kinetic(p: &Top, v: &Velocity) -> f64 {
        0.5 * p.mass * v.position.norm_squared() + 0.5 * v.attitude.dot(&(p.inertia * v.attitude))
    }

    #[potential]
    fn weight(p: &Top, q: &Pose) -> f64 { 9.81 * p.mass * q.position.z }

    /// Three equations. Their Lagrange multipliers are the force in the pivot.
    #[constraint]
    fn pivot(p: &Top, q: &Pose) -> Vector3<f64> { q.attitude.inverse() * q.position - p.center_of_mass }
""")

center_of_mass = np.array([0.0, 1.0, 0.0])
spin = np.array([0.0, 150.0, -4.61538])
run = top.simulate(
    parameters={"mass": 15.0, "inertia": np.diag([0.234375, 0.46875, 0.234375]), "center_of_mass": center_of_mass},
    q0={"position": center_of_mass},
    v0={"attitude": spin, "position": np.cross(spin, center_of_mass)},
    t_end=1.0,
    rtol=1e-8,
    atol=1e-10,
)
print(run)
print("position at the end:", run["position"][-1])
print("energy drift:", np.ptp(run.energy) / run.energy[0])

try:
    run.plot(["position", "multipliers.pivot"], title="Heavy top").savefig("heavy_top.png")
except ImportError:
    print("matplotlib is not installed: no figure")
