//! Parameters: the struct, the structs in it, and the entries that expressions can read.

use syn::{Ident, Type};

use super::Group;

/// The parameter struct.
#[derive(Clone)]
pub(crate) struct Parameters {
    /// The struct as written, without the role attribute.
    pub item: syn::ItemStruct,
    pub fields: Vec<ParameterField>,
    /// The entries that expressions can read, in the order of the fields: `mass`, `upper.mass`, `arms[1].inertia`, and `sections.area` for
    /// the items of a list.
    pub entries: Vec<ParameterEntry>,
    /// The lists: `masses`, `sections`.
    pub lists: Vec<ParameterList>,
}

/// A list whose length is known at run time.
#[derive(Clone)]
pub(crate) struct ParameterList {
    /// `sections`.
    pub name: String,
    /// `.sections`.
    pub access: AccessPath,
}

/// The place of a value in the parameters, from the outside to the inside: `.arms[1].inertia`.
#[derive(Clone, Default)]
pub(crate) struct AccessPath(pub Vec<AccessStep>);

/// A step into a value.
#[derive(Clone)]
pub(crate) enum AccessStep {
    Field(Ident),
    Index(usize),
}

impl AccessPath {
    fn with(&self, step: AccessStep) -> Self {
        AccessPath(self.0.iter().cloned().chain([step]).collect())
    }
}

/// A field of the parameters or of a struct in them.
#[derive(Clone)]
pub(crate) struct ParameterField {
    pub name: Ident,
    pub form: ParameterForm,
    /// As written.
    pub ty: Type,
}

/// The structure of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ParameterForm {
    /// One entry.
    Entry(ParameterKind),
    /// An array of structs or arrays.
    Array(Box<ParameterForm>, usize),
    /// `Vec<…>`: a list with one item for each member of a chain.
    List(Box<ParameterForm>),
    /// A struct of the declaration, by its name.
    Struct(String),
    /// Any other type: opaque functions and observables can use it, but it is not differentiated.
    Opaque,
}

/// A named entry that expressions read.
#[derive(Clone)]
pub(crate) struct ParameterEntry {
    /// `upper.mass`; for a list `sections.area`, the name of the entry in all items.
    pub name: String,
    /// The list that contains the entry in every item.
    pub list: Option<usize>,
    /// `.upper.mass`; relative to the item for an entry of a list.
    pub access: AccessPath,
    pub kind: ParameterKind,
}

/// The type of an entry in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParameterKind {
    /// `f64`.
    Scalar,
    /// `Vector1` to `Vector6`, `SVector<f64, n>`.
    Vector(usize),
    /// `Matrix1` to `Matrix6`, `SMatrix<f64, r, c>`.
    Matrix(usize, usize),
    /// `[f64; n]`.
    ScalarArray(usize),
    /// `[VectorN<f64>; n]`: (dimension, n).
    VectorArray(usize, usize),
    /// An element of a group, for example the frame of a sensor: its rotation and its translation.
    Group(Group),
    /// `bool`, fixed when the system is created.
    Flag,
    /// An integer of the given type, fixed when the system is created.
    Whole(&'static str),
}

impl ParameterKind {
    /// True for entries that become generic over the scalar.
    pub fn is_real(self) -> bool {
        !matches!(self, ParameterKind::Flag | ParameterKind::Whole(_))
    }

    /// The number of values of one entry.
    pub fn numbers(self) -> usize {
        match self {
            ParameterKind::Scalar | ParameterKind::Flag | ParameterKind::Whole(_) | ParameterKind::Group(_) => 1,
            ParameterKind::Vector(n) | ParameterKind::ScalarArray(n) => n,
            ParameterKind::Matrix(rows, columns) => rows * columns,
            ParameterKind::VectorArray(rows, n) => rows * n,
        }
    }

    /// True for entries that are set by their scalar values.
    pub fn is_settable(self) -> bool {
        self.is_real() && !matches!(self, ParameterKind::Group(_))
    }
}

/// A struct of the declaration that parameters contain.
#[derive(Clone)]
pub(crate) struct ParameterStruct {
    /// As written.
    pub item: syn::ItemStruct,
    pub fields: Vec<ParameterField>,
}

/// The tree of a form, with the index of each entry.
#[derive(Clone, Debug)]
pub(crate) enum ParameterTree {
    Entry(usize),
    Array(Vec<ParameterTree>),
    /// A list by its index, and an item of it.
    List(usize, Box<ParameterTree>),
    Struct(String, Vec<(String, ParameterTree)>),
    /// The field and its type: `table: Vec<f64>`.
    Opaque(String),
}

impl ParameterTree {
    /// Visits the indices of the entries.
    pub fn each_entry(&self, visit: &mut dyn FnMut(usize)) {
        match self {
            ParameterTree::Entry(number) => visit(*number),
            ParameterTree::Array(items) => items.iter().for_each(|item| item.each_entry(visit)),
            ParameterTree::Struct(_, fields) => fields.iter().for_each(|(_, field)| field.each_entry(visit)),
            ParameterTree::List(..) | ParameterTree::Opaque(_) => {}
        }
    }

    /// Visits the items of the lists in order.
    pub fn each_list(&self, visit: &mut dyn FnMut(&ParameterTree)) {
        match self {
            ParameterTree::List(_, item) => visit(item),
            ParameterTree::Array(items) => items.iter().for_each(|item| item.each_list(visit)),
            ParameterTree::Struct(_, fields) => fields.iter().for_each(|(_, field)| field.each_list(visit)),
            ParameterTree::Entry(_) | ParameterTree::Opaque(_) => {}
        }
    }
}

impl Parameters {
    /// The trees of the fields; their entries are counted from `first` on.
    pub fn trees(&self, structs: &[ParameterStruct]) -> Vec<(String, ParameterTree)> {
        Walk::new(structs).fields(&self.fields, &AccessPath::default(), "")
    }
}

/// The entries and lists of these fields.
pub(crate) fn entries(
    fields: &[ParameterField],
    structs: &[ParameterStruct],
) -> (Vec<ParameterEntry>, Vec<ParameterList>) {
    let mut walk = Walk::new(structs);
    walk.fields(fields, &AccessPath::default(), "");
    (walk.entries, walk.lists)
}

struct Walk<'a> {
    structs: &'a [ParameterStruct],
    entries: Vec<ParameterEntry>,
    lists: Vec<ParameterList>,
    /// The list whose items are visited.
    within: Option<usize>,
}

impl<'a> Walk<'a> {
    fn new(structs: &'a [ParameterStruct]) -> Self {
        Walk { structs, entries: vec![], lists: vec![], within: None }
    }
}

impl Walk<'_> {
    fn fields(&mut self, fields: &[ParameterField], access: &AccessPath, path: &str) -> Vec<(String, ParameterTree)> {
        let fields = fields.iter().map(|field| {
            let name = &field.name;
            let path = if path.is_empty() { name.to_string() } else { format!("{path}.{name}") };
            (name.to_string(), self.form(&field.form, &field.ty, access.with(AccessStep::Field(name.clone())), path))
        });
        fields.collect()
    }

    fn form(&mut self, form: &ParameterForm, ty: &Type, access: AccessPath, path: String) -> ParameterTree {
        match form {
            ParameterForm::Entry(kind) => {
                self.entries.push(ParameterEntry { name: path, list: self.within, access, kind: *kind });
                ParameterTree::Entry(self.entries.len() - 1)
            }
            ParameterForm::Array(element, count) => {
                let elements = (0..*count)
                    .map(|at| self.form(element, ty, access.with(AccessStep::Index(at)), format!("{path}[{at}]")));
                ParameterTree::Array(elements.collect())
            }
            ParameterForm::List(item) => {
                let number = self.lists.len();
                self.lists.push(ParameterList { name: path.clone(), access });
                self.within = Some(number);
                let item = self.form(item, ty, AccessPath::default(), path);
                self.within = None;
                ParameterTree::List(number, Box::new(item))
            }
            ParameterForm::Struct(name) => {
                let structs = self.structs;
                let fields = structs.iter().find(|known| known.item.ident == *name).map(|known| &known.fields);
                let fields = fields.map_or_else(Vec::new, |fields| self.fields(fields, &access, &path));
                ParameterTree::Struct(name.clone(), fields)
            }
            ParameterForm::Opaque => ParameterTree::Opaque(format!("{path}: {}", crate::diagnostics::source(ty))),
        }
    }
}

impl ParameterForm {
    /// True if a real number in the form becomes generic over the scalar.
    pub fn is_generic(&self, structs: &[ParameterStruct]) -> bool {
        self.any(structs, |form| matches!(form, ParameterForm::Entry(kind) if kind.is_real()))
    }

    /// True if the form contains a list.
    pub fn has_lists(&self, structs: &[ParameterStruct]) -> bool {
        self.any(structs, |form| matches!(form, ParameterForm::List(_)))
    }

    /// True if the test holds for the form or a form in it.
    fn any(&self, structs: &[ParameterStruct], test: fn(&ParameterForm) -> bool) -> bool {
        test(self)
            || match self {
                ParameterForm::Array(element, _) | ParameterForm::List(element) => element.any(structs, test),
                ParameterForm::Struct(name) => {
                    let fields =
                        structs.iter().filter(|known| known.item.ident == *name).flat_map(|known| &known.fields);
                    fields.into_iter().any(|field| field.form.any(structs, test))
                }
                ParameterForm::Entry(_) | ParameterForm::Opaque => false,
            }
    }
}
