//! Models from robot files.

use std::path::Path;
use std::sync::Arc;

use lie_compiler::robots::{Language, Options};
use lie_compiler::{RobotModule, robot_module};

use super::model::{KeyframeValues, ModelData, interned, interned_list};
use super::{DynamicError, DynamicModel};

impl DynamicModel {
    /// Reads a URDF file. The members are the joints, and the model has the terms of
    /// [`#[mechanical_system(urdf = "…")]`](macro@crate::mechanical_system).
    ///
    /// [`DynamicSystem::configuration`](super::DynamicSystem::configuration) begins with the reference configuration of the file.
    ///
    /// ```no_run
    /// use lie_runtime::dynamic::{DynamicModel, RobotOptions};
    /// use lie_runtime::prelude::*;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut options = RobotOptions::default();
    /// options.set("friction", "smooth(0.01)")?;
    /// let model = DynamicModel::from_urdf("arm.urdf", &options)?;
    /// let system = model.system([])?;
    /// let start = system.configuration([("elbow", &[0.3][..])])?;
    /// let run = Simulation::of(&system).at_rest(start).end_time(1.0).run()?;
    /// assert!(run.column("elbow")?.len() > 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`DynamicError::File`], and [`DynamicError::Declaration`] with the line of a part that is wrong or needs an option.
    pub fn from_urdf(path: impl AsRef<Path>, options: &Options) -> Result<Self, DynamicError> {
        robot(path.as_ref(), Language::Urdf, options)
    }

    /// Reads a MuJoCo (MJCF) file, like [`from_urdf`](Self::from_urdf). Included files and meshes are searched in its folder.
    ///
    /// # Errors
    /// [`DynamicError::File`], and [`DynamicError::Declaration`] with the line of a part that is wrong or needs an option.
    pub fn from_mjcf(path: impl AsRef<Path>, options: &Options) -> Result<Self, DynamicError> {
        robot(path.as_ref(), Language::Mjcf, options)
    }

    /// Returns the assumptions about a robot file that change the motion and that an option confirms or replaces.
    pub fn warnings(&self) -> &[String] {
        &self.data.warnings
    }

    /// Returns the declaration of a robot file as a module. Empty for a model that is not from a robot file.
    pub fn declaration(&self) -> &str {
        &self.data.declaration
    }

    /// Returns the names of the configurations of a robot file: `reference`, then the keyframes.
    pub fn keyframe_names(&self) -> Vec<&str> {
        self.data.configurations.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// Returns a configuration of a robot file for [`DynamicSystem::configuration`](super::DynamicSystem::configuration): `reference` or a
    /// keyframe by its name in the file.
    ///
    /// # Errors
    /// [`DynamicError::UnknownName`].
    pub fn keyframe(&self, name: &str) -> Result<Vec<(&str, &[f64])>, DynamicError> {
        let found = self.data.configurations.iter().find(|(known, _)| known == name);
        let (_, values) = found.ok_or_else(|| DynamicError::UnknownName {
            what: "keyframe",
            name: name.to_owned(),
            known: self.keyframe_names().into_iter().map(str::to_owned).collect(),
        })?;
        Ok(values.iter().map(|(member, scalars)| (member.as_str(), &scalars[..])).collect())
    }
}

fn robot(path: &Path, language: Language, options: &Options) -> Result<DynamicModel, DynamicError> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| DynamicError::File { path: path.to_owned(), reason: error.to_string() })?;
    let RobotModule { text, ignored, warnings, configurations, .. } =
        robot_module(&text, path, language, options).map_err(DynamicError::Declaration)?;
    let model = lie_compiler::compile_to_tape(&text).map_err(DynamicError::Declaration)?;
    let mut data = ModelData::new(model);
    data.description.ignored = interned_list(ignored.iter().map(|part| interned(part)).collect());
    (data.declaration, data.warnings) = (text, warnings);
    let named = configurations.into_iter().map(|one| -> KeyframeValues { (one.name, one.values) });
    data.configurations = named.collect();
    Ok(DynamicModel { data: Arc::new(data) })
}
