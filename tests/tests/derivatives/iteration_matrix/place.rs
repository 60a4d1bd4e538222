//! Points within a step, and the linear systems solved there.

use fixtures::random::Random;
use lie_runtime::group::{CoordinateMap, TangentVector};
use lie_runtime::integrator::generalized_alpha::Parameters;
use lie_runtime::space::{ConfigurationSpace, LocalSpace};
use lie_runtime::system::{
    IterationCoefficients, IterationCorrection, IterationPoint, IterationResidual, Linearised, LocalPoint,
};

/// A place within a step, not a solution of it: increment (θ or x), rate, second and multipliers.
pub struct Place<'a, M: Linearised> {
    pub system: &'a M,
    start: M::Configuration,
    pub map: Option<CoordinateMap>,
    pub is_stabilised: bool,
    h: f64,
    parameters: Parameters,
    increment: M::Velocity,
    rate: M::Velocity,
    second: M::Velocity,
    multipliers: M::Multipliers,
}

/// q, v and v' of a place.
struct Motion<M: Linearised> {
    q: M::Configuration,
    theta: M::Velocity,
    v: M::Velocity,
    acceleration: M::Velocity,
}

impl<'a, M: Linearised<Scalar = f64>> Place<'a, M> {
    pub fn random(system: &'a M, start: M::Configuration, v: &M::Velocity, h: f64, random: &mut Random) -> Self {
        let mut place = Place {
            system,
            start,
            map: None,
            is_stabilised: false,
            h,
            parameters: Parameters::chung_hulbert(0.8).unwrap(),
            increment: v.clone(),
            rate: v.clone(),
            second: v.clone(),
            multipliers: system.zero_multipliers(),
        };
        place.increment.scale(h);
        for i in 0..v.component_count() {
            place.increment.set_component(i, place.increment.component(i) + 0.1 * random.number());
            place.rate.set_component(i, v.component(i) + random.number());
            place.second.set_component(i, 10.0 * random.number());
        }
        for i in 0..place.multipliers.component_count() {
            place.multipliers.set_component(i, 10.0 * random.number());
        }
        place
    }

    fn local(&self) -> Option<LocalPoint<'_, M::Velocity>> {
        self.map.as_ref().map(|map| LocalPoint { map, x: &self.increment, rate: &self.rate, second: &self.second })
    }

    fn motion(&self) -> Motion<M> {
        let mut motion = Motion {
            q: self.start.clone(),
            theta: self.increment.clone(),
            v: self.rate.clone(),
            acceleration: self.second.clone(),
        };
        if let Some(local) = self.local() {
            self.system.space().local_motion(&local, [&mut motion.theta, &mut motion.v, &mut motion.acceleration]);
        }
        self.system.space().compose_exp(&self.start, &motion.theta, &mut motion.q);
        motion
    }

    fn point<'b>(&'b self, motion: &'b Motion<M>) -> IterationPoint<'b, M> {
        IterationPoint {
            t: 0.3,
            q: &motion.q,
            v: &motion.v,
            acceleration: &motion.acceleration,
            multipliers: &self.multipliers,
            theta: &motion.theta,
            local: self.local(),
            reactions: None,
        }
    }

    /// β' h² and γ' h of eq. (34).
    fn weights(&self) -> (f64, f64) {
        let p = &self.parameters;
        ((1.0 - p.alpha_m) / (p.beta * (1.0 - p.alpha_f)), p.gamma / p.beta)
    }

    fn coefficients(&self) -> IterationCoefficients<f64> {
        let ((mass, rate), h) = (self.weights(), self.h);
        IterationCoefficients { mass, damping: h * rate, stiffness: h * h, rate, rate_gradient: h }
    }

    /// The solution without stored factors, if it exists.
    pub fn written_out(&self, right: &IterationResidual<M>) -> Option<IterationCorrection<M>> {
        let (motion, mut correction) = (self.motion(), zero_correction(self.system));
        let point = self.point(&motion);
        let is_solved = self.system.correct_iteration(&point, &self.coefficients(), right, &mut correction);
        is_solved.then_some(correction)
    }

    pub fn factorisation(&self) -> M::Factorisation {
        let (coefficients, motion) = (self.coefficients(), self.motion());
        let point = self.point(&motion);
        let mut projection = self.system.zero_jacobian();
        self.system.constraint_jacobian(0.2, &self.start, &mut projection);
        let mut factorisation = self.system.zero_factorisation();
        self.system
            .factorise_iteration(&point, &coefficients, self.is_stabilised.then_some(&projection), &mut factorisation)
            .unwrap();
        factorisation
    }

    /// h² r, Φ and h (B v + b) where they are equations; zero elsewhere.
    pub fn residual(&self) -> IterationResidual<M> {
        let system = self.system;
        let Motion { q, v, acceleration, .. } = self.motion();
        let mut residual = zero_residual(system);
        system.residual(0.3, &q, &v, &acceleration, &self.multipliers, &mut residual.balance);
        residual.balance.scale(self.h * self.h);
        system.constraint(0.3, &q, &mut residual.position);
        let (mut jacobian, mut drift) = (system.zero_jacobian(), system.zero_multipliers());
        system.constraint_jacobian(0.3, &q, &mut jacobian);
        system.jacobian_times(&jacobian, &v, &mut residual.velocity);
        system.constraint_drift(0.3, &q, &mut drift);
        residual.velocity.axpy(1.0, &drift);
        residual.velocity.scale(self.h);
        self.without_other_rows(&mut residual);
        residual
    }

    /// An arbitrary right-hand side.
    pub fn random_residual(&self, random: &mut Random) -> IterationResidual<M> {
        let mut right = zero_residual(self.system);
        for i in 0..right.balance.component_count() {
            right.balance.set_component(i, random.number());
        }
        for i in 0..right.position.component_count() {
            right.position.set_component(i, random.number());
            right.velocity.set_component(i, random.number());
        }
        self.without_other_rows(&mut right);
        right
    }

    fn without_other_rows(&self, residual: &mut IterationResidual<M>) {
        let holonomic = self.system.holonomic_rows();
        for row in 0..self.system.constraint_rows() {
            if row >= holonomic {
                residual.position.set_component(row, 0.0);
            } else if !self.is_stabilised {
                residual.velocity.set_component(row, 0.0);
            }
        }
    }

    /// The place moved by a multiple of a correction.
    pub fn moved(&self, correction: &IterationCorrection<M>, factor: f64) -> Self {
        let (mass, rate) = self.weights();
        let h = self.h;
        let mut moved = Place {
            system: self.system,
            start: self.start.clone(),
            map: self.map,
            is_stabilised: self.is_stabilised,
            h,
            parameters: self.parameters,
            increment: self.increment.clone(),
            rate: self.rate.clone(),
            second: self.second.clone(),
            multipliers: self.multipliers.clone(),
        };
        moved.increment.axpy(factor, &correction.increment);
        moved.rate.axpy(factor * rate / h, &correction.acceleration);
        moved.second.axpy(factor * mass / (h * h), &correction.acceleration);
        moved.multipliers.axpy(factor / (h * h), &correction.multipliers);
        moved
    }
}

pub fn zero_residual<M: Linearised>(system: &M) -> IterationResidual<M> {
    IterationResidual {
        balance: system.zero_velocity(),
        position: system.zero_multipliers(),
        velocity: system.zero_multipliers(),
    }
}

pub fn zero_correction<M: Linearised>(system: &M) -> IterationCorrection<M> {
    IterationCorrection {
        acceleration: system.zero_velocity(),
        increment: system.zero_velocity(),
        multipliers: system.zero_multipliers(),
        projection: system.zero_multipliers(),
    }
}

/// All components.
pub fn components<M: Linearised<Scalar = f64>>(residual: &IterationResidual<M>) -> Vec<f64> {
    let of = |vector: &dyn Fn(usize) -> f64, count: usize| (0..count).map(vector).collect::<Vec<_>>();
    let IterationResidual { balance, position, velocity } = residual;
    [
        of(&|i| balance.component(i), balance.component_count()),
        of(&|i| position.component(i), position.component_count()),
        of(&|i| velocity.component(i), velocity.component_count()),
    ]
    .concat()
}
