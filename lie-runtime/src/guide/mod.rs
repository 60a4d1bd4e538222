#![doc = include_str!("ten_minutes.md")]

pub mod conventions {
    #![doc = include_str!("conventions.md")]
}

pub mod chains {
    #![doc = include_str!("chains.md")]
}

pub mod methods {
    #![doc = include_str!("methods.md")]
}
