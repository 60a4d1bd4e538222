//! Leaves: what a kernel reads at run time.

/// Where a configuration's or velocity's part stands: the member and, in a power `[G; n]`, the element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Place {
    pub member: u32,
    pub element: u32,
}

/// A leaf of the typed graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Leaf {
    /// A parameter: field and, in an array, element; of an element of a group, the part.
    Parameter { field: u32, element: u32 },
    /// An input: entry and, in an array, element, as a derivative of this order by time.
    Input { field: u32, element: u32, order: u8 },
    /// The time.
    Time,
    /// The number of an element.
    Index,
    /// The length of the chain that an element runs over.
    Length,
    /// A part of a member.
    Configuration(Place, u32),
    /// A block of the velocity of a member.
    Velocity(Place, u32),
    /// A block of its acceleration.
    Acceleration(Place, u32),
    /// A component of the multipliers.
    Multiplier(u32),
    /// An entry of a constant mass matrix, row ≤ column.
    Mass(u32, u32),
    /// A structural nonzero of M⁻¹.
    MassInverse(u32),
    /// A structural nonzero of the Jacobian that multiplies λ.
    ForceJacobian(u32),
    /// A structural nonzero of the Jacobian that multiplies v'.
    ConstraintJacobian(u32),
    /// A component of a velocity-sized vector that a kernel is handed.
    Covector(u32),
    /// A component of the momentum as seen from space.
    Momentum(u32),
    /// A component of a multiplier-sized vector that a kernel is handed.
    Row(u32),
    /// An entry of the upper triangle of a symmetric matrix that a kernel is handed.
    Symmetric(u32),
}

impl Leaf {
    /// The acceleration that belongs to a velocity.
    pub fn acceleration(self) -> Option<Leaf> {
        match self {
            Leaf::Velocity(place, block) => Some(Leaf::Acceleration(place, block)),
            _ => None,
        }
    }
}
