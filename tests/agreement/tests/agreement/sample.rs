//! Random parameters, inputs and configurations, and the same as lists of scalars by name.

use std::collections::BTreeMap;

use crate::random::Random;
use lie_runtime::dynamic::ModelLengths;
use lie_runtime::group::{DQ, S3, S3R3, S3xR3, SE2, SE3, SO2, SO3, SO3xR3};
use lie_runtime::nalgebra::{SMatrix, Vector3};
use lie_runtime::space::S2;
use lie_runtime::system::erased::{Erasable, ErasedSystem, ErasedValue};

/// Random numbers and lengths, and the scalars that have been returned.
pub struct Source {
    pub random: Random,
    /// The length of chains.
    pub length: usize,
    /// The lengths of lists that differ from it.
    pub lists: BTreeMap<String, usize>,
    /// The scalars of each value, by its path.
    pub scalars: Vec<(String, Vec<f64>)>,
    /// The lengths that have been used.
    pub lengths: ModelLengths,
}

/// A generated system and a configuration.
pub struct Sampled {
    pub system: ErasedSystem,
    pub configuration: ErasedValue,
}

impl Sampled {
    pub fn new<M: Erasable<Configuration: 'static>>(system: &M, q: M::Configuration) -> Self {
        Sampled { system: ErasedSystem::of(system), configuration: ErasedValue::of(q) }
    }
}

/// A value that can be random.
pub trait Sample: Sized {
    fn sample(source: &mut Source, path: &str) -> Self;
}

/// A length of `Lengths`.
pub trait Length: Sized {
    fn length(source: &mut Source, name: &str) -> Self;
}

/// The path of a field.
pub fn joined(path: &str, field: &str) -> String {
    if path.is_empty() { field.to_owned() } else { format!("{path}.{field}") }
}

impl Source {
    pub fn new(seed: u64, length: usize, lists: BTreeMap<String, usize>) -> Self {
        Source { random: Random::new(seed), length, lists, scalars: vec![], lengths: ModelLengths::new() }
    }

    fn keep(&mut self, path: &str, scalars: Vec<f64>) {
        self.scalars.push((path.to_owned(), scalars));
    }

    /// A value for a mass, a length or a stiffness.
    fn positive(&mut self) -> f64 {
        1.0 + 0.5 * self.random.number()
    }
}

impl Sample for f64 {
    fn sample(source: &mut Source, path: &str) -> Self {
        let value = if path.starts_with("configuration") { source.random.number() } else { source.positive() };
        source.keep(path, vec![value]);
        value
    }
}

/// A parameter that no equation reads.
impl Sample for String {
    fn sample(_: &mut Source, _: &str) -> Self {
        String::new()
    }
}

impl Sample for bool {
    fn sample(source: &mut Source, path: &str) -> Self {
        let value = source.random.number() > 0.0;
        source.keep(path, vec![f64::from(u8::from(value))]);
        value
    }
}

macro_rules! integers {
    ($($ty:ident)*) => {
        $(impl Sample for $ty {
            fn sample(source: &mut Source, path: &str) -> Self {
                source.keep(path, vec![2.0]);
                2
            }
        })*
    };
}

integers!(usize u8 u16 u32 u64);

/// Signs of sliding velocities.
impl Sample for i32 {
    fn sample(source: &mut Source, path: &str) -> Self {
        let sign = [-1, 0, 1][source.random.below(3)];
        source.keep(path, vec![f64::from(sign)]);
        sign
    }
}

impl<const R: usize, const C: usize> Sample for SMatrix<f64, R, C> {
    fn sample(source: &mut Source, path: &str) -> Self {
        let is_position = path.starts_with("configuration");
        // A square matrix is positive definite and not symmetric.
        let matrix = SMatrix::<f64, R, C>::from_fn(|row, column| {
            if R == C && row == column {
                2.0 * source.positive()
            } else if R == C {
                0.2 * source.random.number()
            } else if is_position {
                source.random.number()
            } else {
                source.positive()
            }
        });
        source.keep(path, matrix.transpose().as_slice().to_vec());
        matrix
    }
}

impl<T: Sample, const N: usize> Sample for [T; N] {
    fn sample(source: &mut Source, path: &str) -> Self {
        core::array::from_fn(|at| T::sample(source, &format!("{path}[{at}]")))
    }
}

impl<T: Sample> Sample for Vec<T> {
    fn sample(source: &mut Source, path: &str) -> Self {
        let name = path.strip_prefix("configuration.");
        let length = source.lists.get(name.unwrap_or(path)).copied().unwrap_or(source.length);
        if name.is_none() {
            source.lengths = source.lengths.clone().length(path, length);
        }
        (0..length).map(|at| T::sample(source, &format!("{path}[{at}]"))).collect()
    }
}

macro_rules! elements {
    ($($ty:ident, $element:ident, |$source:ident| $value:expr => $scalars:expr;)*) => {
        $(impl Sample for $ty {
            fn sample($source: &mut Source, path: &str) -> Self {
                let $element = $value;
                $source.keep(path, $scalars);
                $element
            }
        })*
    };
}

fn rows(rotation: &SO3) -> Vec<f64> {
    rotation.matrix().transpose().as_slice().to_vec()
}

fn with_position(mut rotation: Vec<f64>, position: &[f64]) -> Vec<f64> {
    rotation.extend(position);
    rotation
}

elements! {
    SO2, g, |s| SO2::from_angle(s.random.number()) => g.coordinates().to_vec();
    SO3, g, |s| SO3::exp(&s.random.vector()) => rows(&g);
    S3, g, |s| S3::exp(&s.random.vector()) => g.coordinates().to_vec();
    SE2, g, |s| SE2::new(SO2::from_angle(s.random.number()), s.random.vector())
        => with_position(g.rotation.coordinates().to_vec(), g.translation.as_slice());
    SE3, g, |s| SE3::new(SO3::exp(&s.random.vector()), s.random.vector()) => with_position(rows(&g.rotation), g.translation.as_slice());
    SO3xR3, g, |s| SO3xR3::new(SO3::exp(&s.random.vector()), s.random.vector())
        => with_position(rows(&g.rotation), g.translation.as_slice());
    S3R3, g, |s| S3R3::new(S3::exp(&s.random.vector()), s.random.vector())
        => with_position(g.rotation.coordinates().to_vec(), g.translation.as_slice());
    S3xR3, g, |s| S3xR3::new(S3::exp(&s.random.vector()), s.random.vector())
        => with_position(g.rotation.coordinates().to_vec(), g.translation.as_slice());
    DQ, g, |s| DQ::new(S3::exp(&s.random.vector()), s.random.vector()) => g.coordinates().to_vec();
    S2, g, |s| S2::new(Vector3::new(0.0, 0.0, 1.2) + s.random.vector::<3>()).expect("a direction") => g.direction().as_slice().to_vec();
}

impl Length for usize {
    fn length(source: &mut Source, name: &str) -> Self {
        let length = source.lists.get(name).copied().unwrap_or(source.length);
        source.lengths = source.lengths.clone().length(name, length);
        length
    }
}

impl<const N: usize> Length for Vec<[usize; N]> {
    fn length(source: &mut Source, name: &str) -> Self {
        let tuples: Vec<[usize; N]> =
            vec![core::array::from_fn(|at| at), core::array::from_fn(|at| source.length - 1 - at)];
        source.lengths = source.lengths.clone().connections(name, tuples.iter().copied());
        tuples
    }
}

impl Length for Vec<Option<usize>> {
    fn length(source: &mut Source, name: &str) -> Self {
        let count = source.lists.get(name).copied().unwrap_or(source.length);
        let parents: Vec<Option<usize>> = (0..count).map(|at| at.checked_sub(1 + at / 3)).collect();
        source.lengths = source.lengths.clone().parents(name, parents.iter().copied());
        parents
    }
}
