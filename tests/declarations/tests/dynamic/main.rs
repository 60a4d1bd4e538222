//! Systems from text compute what generated systems compute.

mod analyses;
mod by_name;
mod clamped;
mod contacts;
mod gantry;
mod gradients;
mod inputs;
mod lanes;
mod robots;
mod runs;
mod states;
mod tree;
mod unrolled;

use fixtures::random::Random;
use lie_runtime::dynamic::{DynamicConfiguration, DynamicModel, DynamicSystem, ModelLengths};
use lie_runtime::gradient::pullback_check;
use lie_runtime::group::TangentVector;
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::system::{Linearised, MemberDescription, ParameterSet};

/// A declaration, its generated system, and the same system from the text.
pub(crate) struct Pair<'a, M: MultibodySystem> {
    pub generated: &'a M,
    pub dynamic: DynamicSystem,
    /// The component of the generated system for each component of the dynamic one.
    components: Vec<usize>,
}

impl<'a, M> Pair<'a, M>
where
    M: MultibodySystem,
{
    /// Compiles the module `name` of a file; `elements` are the group elements among the parameters.
    pub fn new(of: (&str, &str), generated: &'a M, elements: &[(&str, Vec<f64>)]) -> Self {
        Self::with_lengths(of, &ModelLengths::new(), generated, elements)
    }

    /// Compiles the module `name` of a file with lists.
    pub fn with_lengths(
        (file, name): (&str, &str),
        lengths: &ModelLengths,
        generated: &'a M,
        elements: &[(&str, Vec<f64>)],
    ) -> Self {
        let text = fixtures::text::declaration(file, name);
        let model = DynamicModel::from_text_with(&text, lengths).unwrap_or_else(|error| panic!("{error}"));
        Self::of(&model, generated, elements)
    }

    /// Compares a system with the generated one.
    pub fn of(model: &DynamicModel, generated: &'a M, elements: &[(&str, Vec<f64>)]) -> Self {
        let parameters = generated.parameters();
        let values =
            parameters.names().iter().map(|name| (*name, parameters.get(name).expect("it is named").numbers()));
        let values: Vec<(&str, Vec<f64>)> = values.chain(elements.iter().cloned()).collect();
        let dynamic =
            model.system(values.iter().map(|(name, numbers)| (*name, &numbers[..]))).expect("the data are good");
        let [own, other] = [dynamic.description(), generated.description()];
        let mut components = vec![usize::MAX; own.dof];
        for member in &*own.members {
            // Generated descriptions name whole arrays.
            let array = member.name.split('[').next().expect("a part");
            let known = other.members.iter().find(|known| known.name == member.name);
            let start = match known {
                Some(known) => known.offset,
                None => {
                    let whole = other.members.iter().find(|known| known.name == array).expect("the member exists");
                    let is_first = |one: &&MemberDescription| one.name.split('[').next() == Some(array);
                    whole.offset + member.offset - own.members.iter().find(is_first).expect("the member exists").offset
                }
            };
            (0..member.dof).for_each(|at| components[member.offset + at] = start + at);
        }
        assert_eq!((own.dof, &own.constraints), (other.dof, &other.constraints));
        assert_eq!(own.documentation, other.documentation);
        Pair { generated, dynamic, components }
    }

    pub fn configuration(&self, q: &M::Configuration) -> DynamicConfiguration {
        let reported = self.generated.report_configuration(q);
        let mut named: Vec<(String, f64)> = vec![];
        reported.for_each("", &mut |name, value| named.push((name.to_owned(), value)));
        let members = self.dynamic.description().members.iter().map(|member| {
            let is_within = |name: &str| {
                name.strip_prefix(member.name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
            };
            (member.name, named.iter().filter(|(name, _)| is_within(name)).map(|(_, value)| *value).collect::<Vec<_>>())
        });
        // The coordinates of auxiliary states have no value.
        let members: Vec<_> = members.filter(|(_, scalars)| !scalars.is_empty()).collect();
        let q = self.dynamic.configuration(members.iter().map(|(name, scalars)| (*name, &scalars[..])));
        q.expect("it is a configuration")
    }

    pub fn vector(&self, v: &M::Velocity) -> DVector<f64> {
        DVector::from_fn(self.components.len(), |at, _| v.component(self.components[at]))
    }

    fn rows(multipliers: &M::Multipliers, rows: usize) -> DVector<f64> {
        DVector::from_fn(rows, |row, _| multipliers.component(row))
    }

    /// Compares the kernels at random velocities, accelerations and multipliers.
    pub fn compare_kernels(&self, q: &M::Configuration) {
        self.compare_kernels_to(1e-13, q);
    }

    /// The same with a relative tolerance: sums over elements have another order.
    pub fn compare_kernels_to(&self, tolerance: f64, q: &M::Configuration) {
        let (one, two) = (self.generated, &self.dynamic);
        let (rows, mut random) = (one.constraint_rows(), Random::new(5));
        let mut own = self.configuration(q);
        // The matrices of the elements are equal to the last bit only without a conversion.
        two.space().renormalize(&mut own);
        let t = 0.3;
        let mut state = || {
            let mut vector = one.zero_velocity();
            (0..one.dof()).for_each(|at| vector.set_component(at, random.number()));
            vector
        };
        let (v, acceleration) = (state(), state());
        let mut multipliers = one.zero_multipliers();
        (0..rows).for_each(|row| multipliers.set_component(row, 0.7 - 0.4 * row as f64));
        let (w, rate, lambda) = (self.vector(&v), self.vector(&acceleration), Self::rows(&multipliers, rows));
        let close = |name: &str, expected: &DVector<f64>, found: &DVector<f64>| {
            let scale = 1.0 + expected.amax();
            assert!((expected - found).amax() <= tolerance * scale, "{name}: {expected} and {found}");
        };
        let (mut expected, mut found) = (one.zero_velocity(), two.zero_velocity());
        one.force(t, q, &v, &mut expected);
        two.force(t, &own, &w, &mut found);
        close("force", &self.vector(&expected), &found);
        one.residual(t, q, &v, &acceleration, &multipliers, &mut expected);
        two.residual(t, &own, &w, &rate, &lambda, &mut found);
        close("residual", &self.vector(&expected), &found);
        let energies = [one.kinetic_energy(t, q, &v), one.potential_energy(t, q)];
        let of_text = [two.kinetic_energy(t, &own, &w), two.potential_energy(t, &own)];
        close("energies", &DVector::from_row_slice(&energies), &DVector::from_row_slice(&of_text));
        let matrix = |matrix: &M::Matrix| {
            let n = self.components.len();
            let at = |at: usize| one.matrix_entry(matrix, self.components[at % n], self.components[at / n]);
            DVector::from_fn(n * n, |index, _| at(index))
        };
        let (mut generated, mut own_matrix) = (one.zero_matrix(), two.zero_matrix());
        one.mass_matrix(t, q, &mut generated);
        two.mass_matrix(t, &own, &mut own_matrix);
        close("mass matrix", &matrix(&generated), &DVector::from_column_slice(own_matrix.as_slice()));
        one.tangent_stiffness(t, q, &v, &acceleration, &multipliers, &mut generated);
        two.tangent_stiffness(t, &own, &w, &rate, &lambda, &mut own_matrix);
        close("stiffness", &matrix(&generated), &DVector::from_column_slice(own_matrix.as_slice()));
        one.tangent_damping(t, q, &v, &mut generated);
        two.tangent_damping(t, &own, &w, &mut own_matrix);
        close("damping", &matrix(&generated), &DVector::from_column_slice(own_matrix.as_slice()));
        let (mut expected, mut found) = (one.zero_multipliers(), two.zero_multipliers());
        one.constraint(t, q, &mut expected);
        two.constraint(t, &own, &mut found);
        close("constraint", &Self::rows(&expected, rows), &found);
        one.constraint_drift(t, q, &mut expected);
        two.constraint_drift(t, &own, &mut found);
        close("drift", &Self::rows(&expected, rows), &found);
        one.constraint_curvature(t, q, &v, &mut expected);
        two.constraint_curvature(t, &own, &w, &mut found);
        close("curvature", &Self::rows(&expected, rows), &found);
        let (mut jacobian, mut own_jacobian) = (one.zero_jacobian(), two.zero_jacobian());
        one.constraint_jacobian(t, q, &mut jacobian);
        two.constraint_jacobian(t, &own, &mut own_jacobian);
        one.jacobian_times(&jacobian, &v, &mut expected);
        two.jacobian_times(&own_jacobian, &w, &mut found);
        close("B v", &Self::rows(&expected, rows), &found);
        // Dry friction has no reverse pass.
        if two.is_sliding() {
            return;
        }
        let mut state = State::at_rest(two, t, own);
        (state.velocity, state.acceleration, state.multipliers) = (w, rate, lambda);
        for kernel in pullback_check(two, &state).expect("the system exists on dual numbers") {
            assert!(kernel.deviation < 1e-12, "{kernel:?}");
        }
    }
}
