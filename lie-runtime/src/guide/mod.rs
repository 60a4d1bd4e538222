#![doc = include_str!("book.md")]

pub mod ten_minutes {
    #![doc = include_str!("ten_minutes.md")]
}

pub mod language {
    #![doc = include_str!("language.md")]
}

pub mod inputs {
    #![doc = include_str!("inputs.md")]
}

pub mod events {
    #![doc = include_str!("events.md")]
}

pub mod methods {
    #![doc = include_str!("methods.md")]
    #![doc = include_str!("methods_table.md")]
}

pub mod chains {
    #![doc = include_str!("chains.md")]
}

pub mod robots {
    #![doc = include_str!("robots.md")]
}

pub mod published_robots {
    #![doc = include_str!("published_robots.md")]
}

pub mod redundant {
    #![doc = include_str!("redundant.md")]
}

pub mod analyses {
    #![doc = include_str!("analyses.md")]
}

pub mod pictures {
    #![doc = include_str!("pictures.md")]
}

pub mod ensembles {
    #![doc = include_str!("ensembles.md")]
}

pub mod gradients {
    #![doc = include_str!("gradients.md")]
}

pub mod troubleshooting {
    #![doc = include_str!("troubleshooting.md")]
}

pub mod gallery;

pub mod extending {
    #![doc = include_str!("extending.md")]
}

pub mod measured {
    #![doc = include_str!("measured.md")]
}

pub mod limits {
    #![doc = include_str!("limits.md")]
}

pub mod conventions {
    #![doc = include_str!("conventions.md")]
}
