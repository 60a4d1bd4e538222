//! Inputs u and outputs y of a linearised system, with the matrices B, C and D.
//!
//! Dual numbers give the exact derivatives of forces with respect to inputs. Outputs and a feedback u(t, q, v) are opaque functions.
//! Extrapolated differences give their derivatives; a function that is not smooth is an error.

use nalgebra::DMatrix;

use super::LinearisationError;
use crate::analysis::first_order::{mechanical_speed, state_components};
use crate::gradient::Variable;
use crate::gradient::differences::{Slope, slopes};
use crate::group::TangentVector;
use crate::scalar::{Dual, Scalar};
use crate::space::ConfigurationSpace;
use crate::system::declaration_check::Declared;
use crate::system::value::is_within;
use crate::system::{InputValues, Linearised, MechanicalSystem, Report, TangentSystem, Value};

/// The largest error of an extrapolated difference relative to the largest difference of the same function.
const ACCURATE: f64 = 1e-6;
/// The time of the second evaluation of outputs along the motion, in units of 1 / max |v|.
const LATER: f64 = 0.1;

/// A state of a system.
pub(super) struct At<'a, M: MechanicalSystem> {
    pub system: &'a M,
    pub t: f64,
    pub q: &'a M::Configuration,
    pub v: &'a M::Velocity,
}

impl<M: MechanicalSystem> Clone for At<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: MechanicalSystem> Copy for At<'_, M> {}

/// A scalar with its full name.
type NamedValues = Vec<(String, f64)>;

/// The requested inputs and their access in a system with inputs.
pub(super) struct Drive<M: MechanicalSystem> {
    pub names: Vec<String>,
    pushes: fn(At<'_, M>) -> Result<Pushes, LinearisationError>,
    /// Returns the system with the inputs of the state, one of them changed by a step.
    moved: fn(At<'_, M>, usize, f64) -> M,
}

/// The requested outputs and their values.
pub(super) struct RequestedOutputs<M: MechanicalSystem> {
    pub names: Vec<String>,
    values: fn(At<'_, M>) -> NamedValues,
}

/// The effect of each input.
pub(super) struct Pushes {
    /// ∂(−g)/∂u, one column per input.
    forces: DMatrix<f64>,
    /// A constraint that depends on the input.
    moves: Vec<Option<&'static str>>,
}

impl<M: Linearised<Scalar = f64> + TangentSystem + InputValues + Report> Drive<M>
where
    M::Lifted: InputValues,
{
    /// The inputs of these names.
    pub fn of(names: Vec<String>) -> Self {
        Drive { names, pushes, moved }
    }
}

impl<M: Linearised<Scalar = f64> + Declared> RequestedOutputs<M> {
    /// The outputs of these names.
    pub fn of(names: Vec<String>) -> Self {
        RequestedOutputs { names, values }
    }
}

/// Computes ∂(−g)/∂u by dual numbers.
fn pushes<M: Linearised<Scalar = f64> + TangentSystem + InputValues + Report>(
    at: At<'_, M>,
) -> Result<Pushes, LinearisationError>
where
    M::Lifted: InputValues,
{
    let At { system, t, q, v } = at;
    let still = Variable::of_parameters(&[], system.parameters());
    let mut lifted = system.varied(&still).map_err(LinearisationError::Model)?;
    let (time, q) = (Dual::from_f64(t), system.lift_configuration(q));
    let mut velocity = lifted.zero_velocity();
    for component in 0..v.component_count() {
        velocity.set_component(component, Dual::from_f64(v.component(component)));
    }
    let inputs = system.report_inputs(t, at.q, v).numbers();
    let mut forces = DMatrix::zeros(system.dof(), inputs.len());
    let mut moves = Vec::new();
    let (mut force, mut jacobian, mut row) = (lifted.zero_velocity(), lifted.zero_jacobian(), lifted.zero_velocity());
    let [mut position, mut drift, mut unit] = [(); 3].map(|()| lifted.zero_multipliers());
    for number in 0..inputs.len() {
        let eps = |at: usize| if at == number { 1.0 } else { 0.0 };
        let mut next = inputs.iter().enumerate().map(|(at, &re)| Dual { re, eps: eps(at) });
        lifted.fix_values(&mut || next.next().unwrap_or(Dual::from_f64(f64::NAN)));
        lifted.force(time, &q, &velocity, &mut force);
        for component in 0..system.dof() {
            forces[(component, number)] = force.component(component).eps;
        }
        lifted.constraint(time, &q, &mut position);
        lifted.constraint_drift(time, &q, &mut drift);
        lifted.constraint_jacobian(time, &q, &mut jacobian);
        let moved = (0..system.constraint_rows()).find(|&constraint| {
            unit.fill(Dual::from_f64(0.0));
            unit.set_component(constraint, Dual::from_f64(1.0));
            lifted.jacobian_transpose_times(&jacobian, &unit, &mut row);
            let gradient = (0..system.dof()).map(|component| row.component(component));
            gradient.chain([position.component(constraint), drift.component(constraint)]).any(|x| x.eps != 0.0)
        });
        moves.push(moved.map(|constraint| system.description().constraint_of_row(constraint)));
    }
    Ok(Pushes { forces, moves })
}

fn moved<M: MechanicalSystem<Scalar = f64> + InputValues + Report>(at: At<'_, M>, number: usize, step: f64) -> M {
    let mut inputs = at.system.report_inputs(at.t, at.q, at.v).numbers();
    inputs[number] += step;
    let (mut system, mut next) = (at.system.clone(), inputs.into_iter());
    system.fix_values(&mut || next.next().unwrap_or(f64::NAN));
    system
}

/// Returns the scalars of all declared functions: observables, then the others.
fn values<M: Declared>(At { system, t, q, v }: At<'_, M>) -> NamedValues {
    let mut named = NamedValues::new();
    system.report_observables(t, q, v).for_each("", &mut |name, value| named.push((name.to_owned(), value)));
    system.compare(t, q, v, &mut |function| {
        let rows = (function.declared)(0.0);
        let value = if let [single] = rows[..] { Value::Scalar(single) } else { Value::Vector(rows) };
        let element = function.element.map_or(String::new(), |element| format!("[{element}]"));
        value.for_each(&format!("{}{element}", function.function), &mut |name, value| {
            named.push((name.to_owned(), value));
        });
    });
    named
}

/// Returns the names of the auxiliary states, `states.current`.
pub(super) fn state_names<M: Report>(system: &M, v: &M::Velocity) -> Vec<String> {
    let mut names = Vec::new();
    system.report_states(v).for_each("states", &mut |name, _| names.push(name.to_owned()));
    names
}

/// Returns the scalars of the given names, in their order.
fn chosen(names: &[String], all: &[String]) -> Result<Vec<usize>, String> {
    let mut found = Vec::new();
    for name in names {
        let before = found.len();
        found.extend((0..all.len()).filter(|&at| is_within(&all[at], name)));
        if found.len() == before {
            return Err(name.clone());
        }
    }
    Ok(found)
}

/// The deviations of the state for the coordinates z and the speeds w, by columns: η over δv.
pub(super) struct Deviations {
    configurations: DMatrix<f64>,
    velocities: DMatrix<f64>,
}

impl Deviations {
    /// η = N_h z, δv = G N_h z + N w.
    #[inline]
    pub fn new(shapes: &DMatrix<f64>, follow: &DMatrix<f64>, speeds: &DMatrix<f64>) -> Self {
        let (dof, positions, count) = (shapes.nrows(), shapes.ncols(), shapes.ncols() + speeds.ncols());
        let mut configurations = DMatrix::zeros(dof, count);
        let mut velocities = DMatrix::zeros(dof, count);
        configurations.columns_mut(0, positions).copy_from(shapes);
        velocities.columns_mut(0, positions).copy_from(&(follow * shapes));
        velocities.columns_mut(positions, count - positions).copy_from(speeds);
        Deviations { configurations, velocities }
    }

    /// Returns the derivatives of `count` values along all deviations, one row per value.
    fn slopes<M: MechanicalSystem<Scalar = f64>>(
        &self,
        At { system, t, q, v }: At<'_, M>,
        count: usize,
        values: &mut dyn FnMut(At<'_, M>) -> Vec<f64>,
    ) -> OutputDerivatives {
        let mut all = OutputDerivatives::zeros(count, self.configurations.ncols());
        if count == 0 {
            return all;
        }
        let (mut turned, mut turn, mut velocity) = (q.clone(), system.zero_velocity(), system.zero_velocity());
        for column in 0..self.configurations.ncols() {
            let (eta, change) = (self.configurations.column(column), self.velocities.column(column));
            let size = eta.amax().max(change.amax());
            let found = slopes(&mut |step| {
                for component in 0..eta.len() {
                    turn.set_component(component, step / size * eta[component]);
                    velocity.set_component(component, v.component(component) + step / size * change[component]);
                }
                system.space().compose_exp(q, &turn, &mut turned);
                values(At { system, t, q: &turned, v: &velocity })
            });
            all.set_column(column, &found, size);
        }
        all
    }
}

/// Derivatives and their error bounds.
struct OutputDerivatives {
    values: DMatrix<f64>,
    /// The error in addition to round-off.
    errors: DMatrix<f64>,
}

impl OutputDerivatives {
    fn zeros(rows: usize, columns: usize) -> Self {
        OutputDerivatives { values: DMatrix::zeros(rows, columns), errors: DMatrix::zeros(rows, columns) }
    }

    fn set_column(&mut self, column: usize, found: &[Slope], size: f64) {
        for (row, slope) in found.iter().enumerate() {
            self.values[(row, column)] = slope.value * size;
            self.errors[(row, column)] = (slope.error - slope.noise).max(0.0) * size;
        }
    }

    /// Returns the index and the error of the first row without derivatives.
    fn rough(&self) -> Option<(usize, f64)> {
        (0..self.values.nrows()).find_map(|row| {
            let (slopes, errors) = (self.values.row(row), self.errors.row(row));
            let scale = slopes.iter().fold(0.0, |m: f64, slope| m.max(slope.abs()));
            let worst = errors.iter().fold(0.0, |m: f64, &error| m.max(error));
            (worst > ACCURATE * scale).then_some((row, worst))
        })
    }
}

/// The derivatives of inputs and outputs.
pub(super) struct Ports {
    pub inputs: Vec<String>,
    /// ∂(−g)/∂u of the selected inputs.
    pub forces: DMatrix<f64>,
    /// −∂(−g)/∂u ∂u/∂(z, w) of a feedback, its contribution to K and C.
    pub feedback: Option<DMatrix<f64>>,
    pub outputs: Vec<String>,
    /// C.
    pub observed: DMatrix<f64>,
    /// D.
    pub feedthrough: DMatrix<f64>,
}

impl Ports {
    /// Computes the derivatives at a state. For spinning bodies, the axes of the deviations rotate; the check of outputs along the motion
    /// is omitted.
    pub fn of<M: Linearised<Scalar = f64> + Report>(
        (drive, watch): (Option<&Drive<M>>, Option<&RequestedOutputs<M>>),
        at: At<'_, M>,
        deviations: &Deviations,
        is_spinning: bool,
    ) -> Result<Self, LinearisationError> {
        let mut inputs: NamedValues = Vec::new();
        at.system
            .report_inputs(at.t, at.q, at.v)
            .for_each("", &mut |name, value| inputs.push((name.to_owned(), value)));
        let all: Vec<String> = inputs.into_iter().map(|(name, _)| name).collect();
        let gains = deviations.slopes(at, all.len(), &mut |at| at.system.report_inputs(at.t, at.q, at.v).numbers());
        if let Some((row, error)) = gains.rough() {
            return Err(LinearisationError::NotSmooth { function: all[row].clone(), error });
        }
        let is_fed_back = gains.values.iter().any(|gain| *gain != 0.0);
        let mut ports = Ports {
            inputs: Vec::new(),
            forces: DMatrix::zeros(at.system.dof(), 0),
            feedback: None,
            outputs: Vec::new(),
            observed: DMatrix::zeros(0, deviations.configurations.ncols()),
            feedthrough: DMatrix::zeros(0, 0),
        };
        let mut numbers = Vec::new();
        match drive {
            Some(Drive { names, pushes, .. }) => {
                let unknown = |name| LinearisationError::UnknownInput { name, known: all.clone() };
                numbers = chosen(names, &all).map_err(unknown)?;
                let Pushes { forces, moves } = pushes(at)?;
                if let Some((input, constraint)) = numbers.iter().find_map(|&number| Some((number, moves[number]?))) {
                    return Err(LinearisationError::MovesConstraint { input: all[input].clone(), constraint });
                }
                ports.feedback = is_fed_back.then(|| -(&forces * &gains.values));
                ports.forces = forces.select_columns(&numbers);
                ports.inputs = numbers.iter().map(|&number| all[number].clone()).collect();
            }
            None if is_fed_back => return Err(LinearisationError::Feedback { inputs: all }),
            None => {}
        }
        if let Some(watch) = watch {
            let driven = drive.map(|drive| (drive, &numbers[..]));
            ports.observe(watch, driven, at, deviations, is_spinning)?;
        } else {
            ports.feedthrough = DMatrix::zeros(0, numbers.len());
        }
        Ok(ports)
    }

    fn observe<M: Linearised<Scalar = f64> + Report>(
        &mut self,
        watch: &RequestedOutputs<M>,
        drive: Option<(&Drive<M>, &[usize])>,
        at: At<'_, M>,
        deviations: &Deviations,
        is_spinning: bool,
    ) -> Result<(), LinearisationError> {
        let (members, states) = (&at.system.description().members, state_components(at.system));
        let components: Vec<(String, usize)> = members
            .iter()
            .flat_map(|member| (0..member.dof).map(move |at| (format!("{}[{at}]", member.name), member.offset + at)))
            .filter(|(_, component)| *component < states.start)
            .collect();
        // The rows of the deviations (η, δv, δz).
        let mut rows = Vec::new();
        let mut all: Vec<String> = Vec::new();
        for (level, deviation) in [("q", &deviations.configurations), ("v", &deviations.velocities)] {
            rows.extend(components.iter().map(|&(_, component)| deviation.row(component)));
            all.extend(components.iter().map(|(name, _)| format!("{level}.{name}")));
        }
        let mechanical = rows.len();
        rows.extend(states.map(|component| deviations.velocities.row(component)));
        all.extend(state_names(at.system, at.v));
        let declared = (watch.values)(at);
        all.extend(declared.iter().map(|(name, _)| name.clone()));
        let numbers = chosen(&watch.names, &all)
            .map_err(|name| LinearisationError::UnknownOutput { name, known: all[mechanical..].to_vec() })?;
        self.outputs = numbers.iter().map(|&number| all[number].clone()).collect();
        let of = |at: At<'_, M>| -> Vec<f64> {
            let values = (watch.values)(at);
            numbers
                .iter()
                .map(|&number| if number < rows.len() { 0.0 } else { values[number - rows.len()].1 })
                .collect()
        };
        let rough = |slopes: &OutputDerivatives| match slopes.rough() {
            Some((row, error)) => Err(LinearisationError::NotSmooth { function: all[numbers[row]].clone(), error }),
            None => Ok(()),
        };
        let slopes_here = deviations.slopes(at, numbers.len(), &mut |at| of(at));
        rough(&slopes_here)?;
        let speed = mechanical_speed(at.system, at.v);
        if speed > 0.0 && !is_spinning {
            let step = LATER / speed;
            let (mut later, mut turn) = (at.q.clone(), at.system.zero_velocity());
            turn.assign_scaled(step, at.v);
            at.system.space().compose_exp(at.q, &turn, &mut later);
            let there = deviations.slopes(At { t: at.t + step, q: &later, ..at }, numbers.len(), &mut |at| of(at));
            let changes = &there.values - &slopes_here.values;
            let turning = (0..numbers.len()).find(|&row| {
                changes.row(row).amax()
                    > ACCURATE * slopes_here.values.row(row).amax().max(there.values.row(row).amax())
            });
            if let Some(row) = turning {
                return Err(LinearisationError::OutputTurns { output: all[numbers[row]].clone() });
            }
        }
        self.observed = slopes_here.values;
        for (row, &number) in numbers.iter().enumerate() {
            if let Some(deviation) = rows.get(number) {
                self.observed.set_row(row, deviation);
            }
        }
        let inputs = drive.map_or(&[][..], |(_, inputs)| inputs);
        let mut feedthrough = OutputDerivatives::zeros(numbers.len(), inputs.len());
        for (column, &input) in inputs.iter().enumerate() {
            let Some((drive, _)) = drive else { continue };
            let found = slopes(&mut |step| {
                let system = (drive.moved)(at, input, step);
                of(At { system: &system, ..at })
            });
            feedthrough.set_column(column, &found, 1.0);
        }
        rough(&feedthrough)?;
        self.feedthrough = feedthrough.values;
        Ok(())
    }
}

/// Splits a matrix into the parts of coordinates and of speeds.
pub(super) fn by_state(matrix: &DMatrix<f64>, positions: usize) -> [DMatrix<f64>; 2] {
    let speeds = matrix.ncols() - positions;
    [matrix.columns(0, positions).into_owned(), matrix.columns(positions, speeds).into_owned()]
}
