//! Parameters by name: access to the entries of a struct of parameters, and the merge of two changes.
//!
//! Names are `mass`, `upper.mass` and `links[1].inertia`. In a list, `sections.area` is the entry of all items and `sections[3].area` the
//! entry of one item.

use core::any::Any;
use core::fmt::{Debug, Write};

use super::over_scalars::{EntryShape, Flattened, OverScalars, ScalarMap};
use super::{ModelError, ParameterSet, Value, codegen_runtime};
use crate::scalar::Scalar;

/// Parameters whose entries have names.
#[doc(hidden)]
pub trait NamedEntries: OverScalars<f64, On<f64> = Self> {
    /// The names of the entries that are set by their scalars, in the order of declaration.
    const NAMES: &'static [&'static str];
}

impl<P: NamedEntries> ParameterSet for P {
    fn names(&self) -> &'static [&'static str] {
        P::NAMES
    }

    fn get(&self, name: &str) -> Option<Value> {
        let (entry, _) = Entry::of(self, name, &[]);
        let Some(shape) = entry.shape else {
            // A list without items.
            return P::NAMES.contains(&name).then(|| Value::List(Vec::new()));
        };
        if !entry.is_of_all_items {
            return Some(value(shape, &entry.found));
        }
        let items = entry.found.chunks_exact(size(shape).max(1));
        Some(Value::List(items.map(|scalars| value(shape, scalars)).collect()))
    }

    fn set(&mut self, name: &str, components: &[f64]) -> Result<(), ModelError> {
        let (entry, _) = Entry::of(self, name, &[]);
        let known = P::NAMES.iter().find(|known| **known == name || **known == entry.among_items);
        let Some(&parameter) = known else { return Err(codegen_runtime::unknown_parameter(name, P::NAMES)) };
        let (expected, given) = (entry.found.len(), components.len());
        let by_columns = |rows: usize, columns: usize| {
            let matrices = components.chunks_exact((rows * columns).max(1));
            let entry = move |at: usize| at % rows * columns + at / rows;
            matrices.flat_map(|matrix| (0..rows * columns).map(move |at| matrix[entry(at)])).collect()
        };
        let scalars: Vec<f64> = match entry.shape {
            Some(EntryShape::Matrix(rows, columns))
                if rows == columns && rows > 1 && given == rows && !entry.is_of_all_items =>
            {
                (0..expected).map(|at| if at / rows == at % rows { components[at / rows] } else { 0.0 }).collect()
            }
            _ if expected != given => return Err(ModelError::ParameterShape { parameter, expected, given }),
            Some(EntryShape::Matrix(rows, columns)) => by_columns(rows, columns),
            _ => components.to_vec(),
        };
        *self = Entry::of(self, name, &scalars).1;
        Ok(())
    }
}

/// Returns the number of scalars of an entry.
fn size(shape: EntryShape) -> usize {
    match shape {
        EntryShape::Several | EntryShape::Fixed => 0,
        EntryShape::Scalar => 1,
        EntryShape::Scalars(n) | EntryShape::Vector(n) => n,
        EntryShape::Matrix(n, m) | EntryShape::Vectors(n, m) => n * m,
    }
}

fn value(shape: EntryShape, scalars: &[f64]) -> Value {
    match shape {
        EntryShape::Scalar => Value::Scalar(scalars[0]),
        EntryShape::Matrix(rows, columns) => {
            let row = |row| (0..columns).map(|column| scalars[column * rows + row]).collect();
            Value::Matrix((0..rows).map(row).collect())
        }
        EntryShape::Vectors(_, rows) => {
            Value::List(scalars.chunks_exact(rows.max(1)).map(|vector| Value::Vector(vector.to_vec())).collect())
        }
        _ => Value::Vector(scalars.to_vec()),
    }
}

/// The name of the current field or item.
#[derive(Default)]
struct EntryName {
    /// The name with the indices of all items.
    full: String,
    /// The name without the indices of items of lists.
    among_items: String,
}

impl EntryName {
    /// Calls `inside` with `name` as the name of the current field of its owner.
    fn field<M, R>(of: fn(&mut M) -> &mut Self, map: &mut M, name: &str, inside: impl FnOnce(&mut M) -> R) -> R {
        Self::within(of, map, inside, |path, _| {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(name);
        })
    }

    /// Calls `inside` with the name of an item.
    fn item<M, R>(
        of: fn(&mut M) -> &mut Self,
        map: &mut M,
        (at, is_in_list): (usize, bool),
        inside: impl FnOnce(&mut M) -> R,
    ) -> R {
        Self::within(of, map, inside, |path, is_full| {
            if is_full || !is_in_list {
                let _ = write!(path, "[{at}]");
            }
        })
    }

    fn within<M, R>(
        of: fn(&mut M) -> &mut Self,
        map: &mut M,
        inside: impl FnOnce(&mut M) -> R,
        extend: impl Fn(&mut String, bool),
    ) -> R {
        let name = of(map);
        let [full, among_items] = [name.full.len(), name.among_items.len()];
        extend(&mut name.full, true);
        extend(&mut name.among_items, false);
        let result = inside(map);
        let name = of(map);
        name.full.truncate(full);
        name.among_items.truncate(among_items);
        result
    }
}

/// The search for an entry.
struct Entry<'n> {
    wanted: &'n str,
    name: EntryName,
    is_inside: bool,
    /// The shape of the entry, once it is found.
    shape: Option<EntryShape>,
    /// The name of the entry without the index of the item.
    among_items: String,
    /// True for a name of the entries of all items of a list.
    is_of_all_items: bool,
    /// The scalars of the entry.
    found: Vec<f64>,
    /// The new scalars.
    replacement: std::slice::Iter<'n, f64>,
}

impl<'n> Entry<'n> {
    /// Returns the entry and the parameters with its first scalars replaced.
    fn of<P: NamedEntries>(parameters: &P, wanted: &'n str, replacement: &'n [f64]) -> (Self, P) {
        let mut entry = Entry {
            wanted,
            name: EntryName::default(),
            is_inside: false,
            shape: None,
            among_items: String::new(),
            is_of_all_items: false,
            found: Vec::new(),
            replacement: replacement.iter(),
        };
        let replaced = parameters.map_scalars::<f64>(&mut entry);
        (entry, replaced)
    }

    fn map<V: OverScalars<f64>>(&mut self, value: &V) -> V::On<f64> {
        let EntryName { full, among_items } = &self.name;
        let is_one = full == self.wanted;
        if !matches!(V::ENTRY, EntryShape::Several | EntryShape::Fixed) && (is_one || among_items == self.wanted) {
            self.is_inside = true;
            self.is_of_all_items = !is_one;
            self.shape = Some(V::ENTRY);
            self.among_items.clone_from(among_items);
        }
        let mapped = value.map_scalars::<f64>(self);
        self.is_inside = false;
        mapped
    }
}

impl ScalarMap<f64, f64> for Entry<'_> {
    fn scalar(&mut self, value: f64) -> f64 {
        if !self.is_inside {
            return value;
        }
        self.found.push(value);
        self.replacement.next().copied().unwrap_or(value)
    }
    fn field<V: OverScalars<f64>>(&mut self, name: &'static str, value: &V) -> V::On<f64> {
        EntryName::field(|entry: &mut Self| &mut entry.name, self, name, |entry| entry.map(value))
    }
    fn item<V: OverScalars<f64>>(&mut self, at: usize, is_in_list: bool, value: &V) -> V::On<f64> {
        EntryName::item(|entry: &mut Self| &mut entry.name, self, (at, is_in_list), |entry| entry.map(value))
    }
}

/// Checks that all scalars of the parameters are finite.
///
/// # Errors
/// [`ModelError::NonFiniteParameter`] with the name of the first entry that is not finite.
pub fn check_entries<S: Scalar, P: OverScalars<S>>(parameters: &P) -> Result<(), ModelError> {
    let mut is_finite = true;
    parameters.map_scalars::<S>(&mut |scalar: S| {
        is_finite &= scalar.is_finite();
        scalar
    });
    if is_finite {
        return Ok(());
    }
    let mut search = NonFinite { name: EntryName::default(), found: None };
    parameters.map_scalars::<S>(&mut search);
    match search.found {
        Some((parameter, value)) => Err(ModelError::NonFiniteParameter { parameter, value }),
        None => Ok(()),
    }
}

/// The search for a scalar that is not finite.
struct NonFinite {
    name: EntryName,
    found: Option<(String, f64)>,
}

impl<S: Scalar> ScalarMap<S, S> for NonFinite {
    fn scalar(&mut self, value: S) -> S {
        if !value.is_finite() && self.found.is_none() {
            self.found = Some((self.name.full.clone(), value.value()));
        }
        value
    }
    fn field<V: OverScalars<S>>(&mut self, name: &'static str, value: &V) -> V::On<S> {
        EntryName::field(|search: &mut Self| &mut search.name, self, name, |search| value.map_scalars::<S>(search))
    }
    fn item<V: OverScalars<S>>(&mut self, at: usize, is_in_list: bool, value: &V) -> V::On<S> {
        let inside = |search: &mut Self| value.map_scalars::<S>(search);
        EntryName::item(|search: &mut Self| &mut search.name, self, (at, is_in_list), inside)
    }
}

/// Sets the entries in `own` that differ between `before` and `changed`; each item of a list separately.
///
/// # Errors
/// The name of an entry that differs in all three, or of a list with another length.
pub fn merge_entries<S: Scalar, P: OverScalars<S, On<S> = P>>(
    own: &mut P,
    before: &P,
    changed: &P,
) -> Result<(), String> {
    let [before, changed] = [before, changed].map(|parameters| {
        let mut entries = EntryValues(Vec::new());
        parameters.map_scalars::<S>(&mut entries);
        entries.0.into_iter()
    });
    let mut merge = ParameterMerge { name: EntryName::default(), before, changed, conflict: None };
    let merged = own.map_scalars::<S>(&mut merge);
    match merge.conflict {
        Some(name) => Err(name),
        None => {
            *own = merged;
            Ok(())
        }
    }
}

/// The value of an entry.
enum EntryValue<S> {
    Numbers(Flattened<S>),
    Length(usize),
    /// A value that no kernel reads. It is compared by its `Debug` output.
    Opaque(String, Box<dyn Any>),
}

/// The values of all entries, in order.
struct EntryValues<S>(Vec<EntryValue<S>>);

impl<S: Scalar> EntryValues<S> {
    fn map<V: OverScalars<S>>(&mut self, value: &V) -> V::On<S> {
        if V::ENTRY == EntryShape::Several {
            return value.map_scalars::<S>(self);
        }
        self.0.push(EntryValue::Numbers(Flattened::of(value)));
        value.map_scalars::<S>(&mut |scalar: S| scalar)
    }
}

impl<S: Scalar> ScalarMap<S, S> for EntryValues<S> {
    fn scalar(&mut self, value: S) -> S {
        value
    }
    fn length(&mut self, length: usize) {
        self.0.push(EntryValue::Length(length));
    }
    fn field<V: OverScalars<S>>(&mut self, _: &'static str, value: &V) -> V::On<S> {
        self.map(value)
    }
    fn item<V: OverScalars<S>>(&mut self, _: usize, _: bool, value: &V) -> V::On<S> {
        self.map(value)
    }
    fn opaque<V: Clone + Debug + 'static>(&mut self, _: &'static str, value: &V) -> V {
        self.0.push(EntryValue::Opaque(format!("{value:?}"), Box::new(value.clone())));
        value.clone()
    }
}

/// The merge of two changes of the same parameters.
struct ParameterMerge<S> {
    name: EntryName,
    before: std::vec::IntoIter<EntryValue<S>>,
    changed: std::vec::IntoIter<EntryValue<S>>,
    /// The first entry that both have changed.
    conflict: Option<String>,
}

impl<S: Scalar> ParameterMerge<S> {
    /// Returns true for an entry that has the changed value.
    fn is_changed<T: PartialEq + ?Sized>(&mut self, own: &T, before: &T, changed: &T) -> bool {
        if changed == before || changed == own {
            return false;
        }
        if own != before {
            self.conflict.get_or_insert_with(|| self.name.full.clone());
            return false;
        }
        true
    }

    fn map<V: OverScalars<S>>(&mut self, value: &V) -> V::On<S> {
        if V::ENTRY == EntryShape::Several {
            return value.map_scalars::<S>(self);
        }
        if let (Some(EntryValue::Numbers(before)), Some(EntryValue::Numbers(changed))) =
            (self.before.next(), self.changed.next())
            && self.is_changed(&Flattened::of(value), &before, &changed)
        {
            let Flattened { scalars, integers, .. } = changed;
            return value.map_scalars::<S>(&mut Replacement(scalars.into_iter(), integers.into_iter()));
        }
        value.map_scalars::<S>(&mut |scalar: S| scalar)
    }
}

impl<S: Scalar> ScalarMap<S, S> for ParameterMerge<S> {
    fn scalar(&mut self, value: S) -> S {
        value
    }
    fn length(&mut self, length: usize) {
        let is_equal = |value| matches!(value, Some(EntryValue::Length(other)) if other == length);
        if !is_equal(self.before.next()) || !is_equal(self.changed.next()) {
            self.conflict.get_or_insert_with(|| self.name.full.clone());
        }
    }
    fn field<V: OverScalars<S>>(&mut self, name: &'static str, value: &V) -> V::On<S> {
        EntryName::field(|merge: &mut Self| &mut merge.name, self, name, |merge| merge.map(value))
    }
    fn item<V: OverScalars<S>>(&mut self, at: usize, is_in_list: bool, value: &V) -> V::On<S> {
        EntryName::item(|merge: &mut Self| &mut merge.name, self, (at, is_in_list), |merge| merge.map(value))
    }
    fn opaque<V: Clone + Debug + 'static>(&mut self, name: &'static str, value: &V) -> V {
        EntryName::field(
            |merge: &mut Self| &mut merge.name,
            self,
            name,
            |merge| {
                if let (Some(EntryValue::Opaque(before, _)), Some(EntryValue::Opaque(changed, new))) =
                    (merge.before.next(), merge.changed.next())
                    && merge.is_changed(&format!("{value:?}"), &before, &changed)
                    && let Ok(new) = new.downcast::<V>()
                {
                    return *new;
                }
                value.clone()
            },
        )
    }
}

/// The map to other scalars and integers.
struct Replacement<S>(std::vec::IntoIter<S>, std::vec::IntoIter<i128>);

impl<S: Scalar> ScalarMap<S, S> for Replacement<S> {
    fn scalar(&mut self, value: S) -> S {
        self.0.next().unwrap_or(value)
    }
    fn integer(&mut self, value: i128) -> i128 {
        self.1.next().unwrap_or(value)
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{Matrix2, Vector3};

    use super::*;
    use crate::group::SO2;

    #[derive(Clone, Debug, PartialEq)]
    struct Section<S> {
        area: S,
        inertia: nalgebra::SMatrix<S, 2, 2>,
        count: usize,
    }

    #[derive(Clone, Debug, PartialEq)]
    struct Data<S: Scalar> {
        mass: S,
        ends: [Section<S>; 2],
        sections: Vec<Section<S>>,
        points: [nalgebra::SVector<S, 3>; 2],
        sensor: SO2<S>,
        is_stiff: bool,
        table: Option<&'static str>,
    }

    impl<S: Scalar> OverScalars<S> for Section<S> {
        type On<T: Scalar> = Section<T>;
        fn map_scalars<T: Scalar>(&self, map: &mut impl ScalarMap<S, T>) -> Section<T> {
            Section {
                area: map.field("area", &self.area),
                inertia: map.field("inertia", &self.inertia),
                count: map.field("count", &self.count),
            }
        }
    }

    impl<S: Scalar> OverScalars<S> for Data<S> {
        type On<T: Scalar> = Data<T>;
        fn map_scalars<T: Scalar>(&self, map: &mut impl ScalarMap<S, T>) -> Data<T> {
            Data {
                mass: map.field("mass", &self.mass),
                ends: map.field("ends", &self.ends),
                sections: map.field("sections", &self.sections),
                points: map.field("points", &self.points),
                sensor: map.field("sensor", &self.sensor),
                is_stiff: map.field("is_stiff", &self.is_stiff),
                table: map.opaque("table", &self.table),
            }
        }
    }

    impl NamedEntries for Data<f64> {
        const NAMES: &'static [&'static str] =
            &["mass", "ends[0].area", "ends[1].inertia", "sections.area", "sections.inertia", "points"];
    }

    fn data() -> Data<f64> {
        let section = |area, count| Section { area, inertia: Matrix2::new(1.0, 2.0, 3.0, 4.0), count };
        Data {
            mass: 0.5,
            ends: [section(1.0, 1), section(2.0, 2)],
            sections: vec![section(3.0, 3), section(4.0, 4)],
            points: [Vector3::new(1.0, 2.0, 3.0), Vector3::new(4.0, 5.0, 6.0)],
            sensor: SO2::from_angle(0.3),
            is_stiff: true,
            table: None,
        }
    }

    #[test]
    fn entries_are_read_by_name() {
        let data = data();
        let [vector, matrix] =
            [Value::Vector(vec![4.0, 5.0, 6.0]), Value::Matrix(vec![vec![1.0, 2.0], vec![3.0, 4.0]])];
        assert_eq!(data.get("mass"), Some(Value::Scalar(0.5)));
        assert_eq!(data.get("ends[1].area"), Some(Value::Scalar(2.0)));
        assert_eq!(data.get("ends[1].inertia"), Some(matrix.clone()));
        assert_eq!(data.get("sections.area"), Some(Value::List(vec![Value::Scalar(3.0), Value::Scalar(4.0)])));
        assert_eq!(data.get("sections[1].inertia"), Some(matrix));
        assert_eq!(data.get("points"), Some(Value::List(vec![Value::Vector(vec![1.0, 2.0, 3.0]), vector])));
        for name in ["sensor", "is_stiff", "table", "ends", "ends.area", "points[1]", "sections[2].area", "area"] {
            assert_eq!(data.get(name), None, "{name}");
        }
        let none = Data { sections: vec![], ..data };
        assert_eq!(none.get("sections.area"), Some(Value::List(vec![])));
    }

    #[test]
    fn scalars_are_finite() {
        assert_eq!(check_entries::<f64, _>(&data()), Ok(()));
        let name = |change: fn(&mut Data<f64>)| {
            let mut data = data();
            change(&mut data);
            match check_entries::<f64, _>(&data) {
                Err(ModelError::NonFiniteParameter { parameter, .. }) => parameter,
                other => format!("{other:?}"),
            }
        };
        assert_eq!(name(|data| data.ends[1].inertia[(0, 1)] = f64::NAN), "ends[1].inertia");
        assert_eq!(name(|data| data.sections[1].area = f64::INFINITY), "sections[1].area");
        assert_eq!(name(|data| data.points[1].x = f64::NAN), "points");
        assert_eq!(name(|data| data.sensor = SO2::from_angle(f64::NAN)), "sensor");
    }

    #[test]
    fn entries_are_set_by_name() {
        let (mut set, mut expected) = (data(), data());
        set.set("mass", &[7.0]).unwrap();
        set.set("ends[1].inertia", &[1.0, 2.0, 3.0, 5.0]).unwrap();
        set.set("sections[0].inertia", &[8.0, 9.0]).unwrap();
        set.set("sections.area", &[10.0, 11.0]).unwrap();
        set.set("points", &[1.0, 2.0, 3.0, 6.0, 5.0, 4.0]).unwrap();
        expected.mass = 7.0;
        expected.ends[1].inertia = Matrix2::new(1.0, 2.0, 3.0, 5.0);
        expected.sections[0].inertia = Matrix2::new(8.0, 0.0, 0.0, 9.0);
        (expected.sections[0].area, expected.sections[1].area) = (10.0, 11.0);
        expected.points[1] = Vector3::new(6.0, 5.0, 4.0);
        assert_eq!(set, expected);
        set.set("sections.inertia", &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]).unwrap();
        assert_eq!(set.sections[1].inertia, Matrix2::new(5.0, 6.0, 7.0, 8.0));
        let shape = |parameter, expected, given| Err(ModelError::ParameterShape { parameter, expected, given });
        assert_eq!(set.set("mass", &[]), shape("mass", 1, 0));
        assert_eq!(set.set("sections.area", &[1.0]), shape("sections.area", 2, 1));
        assert_eq!(set.set("sections[1].area", &[1.0, 2.0]), shape("sections.area", 1, 2));
        assert!(matches!(set.set("sections[2].area", &[1.0]), Err(ModelError::UnknownParameter { .. })));
        assert!(matches!(set.set("is_stiff", &[1.0]), Err(ModelError::UnknownParameter { .. })));
    }

    #[test]
    fn changes_of_the_same_parameters_are_merged() {
        let merged = |own: fn(&mut Data<f64>), changed: fn(&mut Data<f64>)| {
            let (mut first, mut second) = (data(), data());
            own(&mut first);
            changed(&mut second);
            merge_entries(&mut first, &data(), &second).map(|()| first)
        };
        let both = merged(
            |own| (own.mass, own.sections[0].area, own.table) = (1.0, 2.0, Some("own")),
            |changed| {
                (changed.mass, changed.sections[1].count, changed.is_stiff) = (1.0, 9, false);
                changed.sensor = SO2::from_angle(0.7);
            },
        );
        let mut expected = data();
        (expected.mass, expected.sections[0].area, expected.sections[1].count) = (1.0, 2.0, 9);
        (expected.is_stiff, expected.sensor, expected.table) = (false, SO2::from_angle(0.7), Some("own"));
        assert_eq!(both, Ok(expected));
        // Entries are not divided.
        let conflict = |name: &str| Err(name.to_owned());
        assert_eq!(merged(|own| own.points[0].x = 2.0, |changed| changed.points[1].x = 2.0), conflict("points"));
        assert_eq!(
            merged(|own| own.sections[1].count = 1, |changed| changed.sections[1].count = 2),
            conflict("sections[1].count")
        );
        assert_eq!(merged(|own| own.table = Some("a"), |changed| changed.table = Some("b")), conflict("table"));
        assert_eq!(
            merged(|_| {}, |changed| changed.sections.truncate(changed.sections.len() - 1)),
            conflict("sections")
        );
        assert_eq!(merged(|_| {}, |changed| changed.table = Some("new")).map(|data| data.table), Ok(Some("new")));
    }
}
