//! Leaves: what a kernel reads at run time.

/// Where a configuration's or velocity's part stands: the member and, in a power `[G; n]`, the element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Place {
    pub member: u32,
    pub element: u32,
}

/// What the number of an item of a list is counted modulo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Wrap {
    /// Nothing.
    Never,
    /// A number.
    At(u32),
    /// The length of the chain: the neighbour after the last one is the first.
    Around,
}

/// The number of an item of a list: ((index · i + length · n + constant) / divisor) mod wrap, with i and n the number of the
/// element and the length of its chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Subscript {
    pub index: i32,
    pub length: i32,
    pub constant: i32,
    pub divisor: u32,
    pub wrap: Wrap,
}

impl Subscript {
    /// That number itself.
    pub fn number(constant: i32) -> Self {
        Subscript { index: 0, length: 0, constant, divisor: 1, wrap: Wrap::Never }
    }

    /// The number of the element, the length of its chain.
    pub const INDEX: Subscript = Subscript { index: 1, length: 0, constant: 0, divisor: 1, wrap: Wrap::Never };
    pub const LENGTH: Subscript = Subscript { index: 0, length: 1, ..Subscript::INDEX };

    /// The number, if it is known.
    pub fn as_number(self) -> Option<usize> {
        usize::try_from(self.constant).ok().filter(|_| self == Subscript::number(self.constant))
    }

    /// True if it is the same for all elements.
    pub fn is_constant(self) -> bool {
        self.index == 0
    }

    /// True if from one element to the next it goes on by one: all items are read.
    pub fn counts(self) -> bool {
        (self.index, self.divisor, self.wrap) == (1, 1, Wrap::Never)
    }
}

/// A matrix of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Iterated {
    /// M.
    Mass,
    /// C.
    Damping,
    /// K.
    Stiffness,
    /// B.
    Jacobian,
    /// H.
    RateGradient,
    /// T(θ)⁻¹ for the increment θ of a step.
    TangentInverse,
}

/// A leaf of the typed graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Leaf {
    /// A parameter: field and, in an array, element; of an element of a group, the part.
    Parameter { field: u32, element: u32 },
    /// The same in an item of a list. `sure`: no condition on the number of the element stands before it, so that there is such
    /// an item at every element.
    Item { field: u32, element: u32, at: Subscript, sure: bool },
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
    /// An entry above the diagonal of a skew-symmetric one.
    Skew(u32),
    /// A number that entries of the Jacobian of a frame are made of, kept since it was computed.
    FrameJacobian(u32),
    /// One of two unit vectors across a point of the sphere, and across each other.
    Across(u32),
    /// An entry (row, column) of a matrix of an iteration.
    Entry(Iterated, u32, u32),
    /// A coefficient of the linear systems of a method.
    Coefficient(u32),
    /// A part of the rates of quantities, where an energy is seen as a function of them.
    Rate(u32),
}

impl Leaf {
    /// True for what does not change while a system moves: parameters, and the numbers that count elements.
    pub fn is_data(self) -> bool {
        matches!(self, Leaf::Parameter { .. } | Leaf::Item { .. } | Leaf::Index | Leaf::Length)
    }

    /// The acceleration that belongs to a velocity.
    pub fn acceleration(self) -> Option<Leaf> {
        match self {
            Leaf::Velocity(place, block) => Some(Leaf::Acceleration(place, block)),
            _ => None,
        }
    }
}
