//! Leaves: values that a kernel reads at run time.

/// The position of a part of a configuration or a velocity: the member and, in a power `[G; n]`, the element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct MemberPosition {
    pub member: u32,
    pub element: u32,
}

/// The modulus of the index of a list item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Wrap {
    /// No modulus.
    Never,
    /// A constant.
    At(u32),
    /// The length of the chain: the first element follows the last one.
    Around,
}

/// The index of a list item: ((index · i + length · n + constant) / divisor) mod wrap. Here i is the index of the element, and n is the
/// length of its chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Subscript {
    pub index: i32,
    pub length: i32,
    pub constant: i32,
    pub divisor: u32,
    pub wrap: Wrap,
}

impl Subscript {
    /// A constant index.
    pub fn number(constant: i32) -> Self {
        Subscript { index: 0, length: 0, constant, divisor: 1, wrap: Wrap::Never }
    }

    /// The index of the element; the length of its chain.
    pub const INDEX: Subscript = Subscript { index: 1, length: 0, constant: 0, divisor: 1, wrap: Wrap::Never };
    pub const LENGTH: Subscript = Subscript { index: 0, length: 1, ..Subscript::INDEX };

    /// The index, if it is a constant.
    pub fn as_number(self) -> Option<usize> {
        usize::try_from(self.constant).ok().filter(|_| self == Subscript::number(self.constant))
    }

    /// True if all elements have the same index.
    pub fn is_constant(self) -> bool {
        self.index == 0
    }

    /// True if the index increases by one from each element to the next, so that all items are read.
    pub fn counts(self) -> bool {
        (self.index, self.divisor, self.wrap) == (1, 1, Wrap::Never)
    }
}

/// A matrix of the implicit iteration.
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
    /// A parameter: the field and, in an array, the element; for an element of a group, the part.
    Parameter { field: u32, element: u32 },
    /// A parameter in a list item. `sure` is true without a condition on the index of the element, so that the item exists for every
    /// element.
    Item { field: u32, element: u32, at: Subscript, sure: bool },
    /// An input: entry and, in an array, element, differentiated `order` times with respect to time.
    Input { field: u32, element: u32, order: u8 },
    /// The time.
    Time,
    /// The index of an element.
    Index,
    /// The length of the chain of an element.
    Length,
    /// A part of a member.
    Configuration(MemberPosition, u32),
    /// A block of the velocity of a member.
    Velocity(MemberPosition, u32),
    /// A block of the acceleration of a member.
    Acceleration(MemberPosition, u32),
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
    /// A component of a velocity-sized argument of a kernel.
    Covector(u32),
    /// A component of the spatial momentum.
    Momentum(u32),
    /// A component of a multiplier-sized argument of a kernel.
    Row(u32),
    /// An entry of the upper triangle of a symmetric argument of a kernel.
    Symmetric(u32),
    /// An entry above the diagonal of a skew-symmetric argument.
    Skew(u32),
    /// A stored scalar, of which entries of the Jacobian of a frame consist.
    FrameJacobian(u32),
    /// A component of either of two unit vectors that are orthogonal to a point of the sphere and to each other.
    Across(u32),
    /// An entry (row, column) of a matrix of the implicit iteration.
    Entry(Iterated, u32, u32),
    /// A coefficient of the linear systems of a method.
    Coefficient(u32),
    /// A part of the rates of quantities, for an energy as a function of these rates.
    Rate(u32),
}

impl Leaf {
    /// True for leaves that are constant during a motion: parameters, and indices of elements.
    pub fn is_data(self) -> bool {
        matches!(self, Leaf::Parameter { .. } | Leaf::Item { .. } | Leaf::Index | Leaf::Length)
    }

    /// The acceleration of a velocity.
    pub fn acceleration(self) -> Option<Leaf> {
        match self {
            Leaf::Velocity(place, block) => Some(Leaf::Acceleration(place, block)),
            _ => None,
        }
    }
}
