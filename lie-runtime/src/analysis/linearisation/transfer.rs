//! A linearisation as a state space: x' = A x + B u, y = C x + D u, and responses at complex frequencies.

use nalgebra::{Complex, DMatrix, DVector};

use super::Linearisation;
use crate::analysis::matrices::dense;
use crate::group::TangentVector;
use crate::simulate::ExportError;
use crate::simulate::export::{Array, write_arrays};

impl Linearisation {
    /// Returns the matrix A of x' = A x with x = (z, w).
    #[inline]
    pub fn state_matrix(&self) -> DMatrix<f64> {
        let (positions, speeds) = (self.shapes.ncols(), self.speeds.ncols());
        let mut matrix = DMatrix::zeros(positions + speeds, positions + speeds);
        matrix.view_mut((0, 0), (positions, positions)).copy_from(&self.rates_by_coordinates);
        matrix.view_mut((0, positions), (positions, speeds)).copy_from(&self.rates_by_speeds);
        matrix.view_mut((positions, 0), (speeds, positions)).copy_from(&-&self.stiffness);
        matrix.view_mut((positions, positions), (speeds, speeds)).copy_from(&-&self.damping);
        matrix
    }

    /// Returns B of the whole state, one column per input: zeros above [`input_matrix`](Self::input_matrix).
    pub fn state_input_matrix(&self) -> DMatrix<f64> {
        let positions = self.shapes.ncols();
        self.input_matrix.clone().insert_rows(0, positions, 0.0)
    }

    /// Returns the transfer function G(s) = C (s − A)⁻¹ B + D, with outputs by rows and inputs by columns; `None` if s is an eigenvalue.
    ///
    /// G(iω) is the frequency response, G(0) the static gain.
    ///
    /// ```
    /// use lie_runtime::analysis::Linearisation;
    /// use lie_runtime::prelude::*;
    /// use nalgebra::Complex;
    ///
    /// #[mechanical_system]
    /// pub mod oscillator {
    ///     #[configuration]
    ///     pub struct Place { pub x: f64 }
    ///
    ///     #[inputs]
    ///     pub struct Inputs { pub push: f64 }
    ///
    ///     #[kinetic_energy]
    ///     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
    ///
    ///     #[potential]
    ///     fn spring(q: &Place) -> f64 { 2.0 * q.x * q.x }
    ///
    ///     #[dissipation]
    ///     fn damper(v: &Velocity) -> f64 { 0.1 * v.x * v.x }
    ///
    ///     #[force]
    ///     fn pushed(u: &Inputs) -> f64 { u.push }
    ///
    ///     #[observable]
    ///     pub fn twice(q: &Place) -> f64 { 2.0 * q.x }
    /// }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let system = oscillator::System::new()?.with_inputs(|_, _, _| oscillator::Inputs { push: 0.0 });
    /// let (q, v) = (oscillator::Place { x: 0.0 }, system.zero_velocity());
    /// let linear = Linearisation::of(&system).inputs(["push"]).outputs(["twice"]).at(0.0, &q, &v)?;
    /// let s = Complex::new(0.0, 1.5);
    /// let answer = linear.transfer(s).ok_or("resonance without damping")?[(0, 0)];
    /// assert!((answer - Complex::from(2.0) / (s * s + s * 0.2 + 4.0)).norm() < 1e-10);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn transfer(&self, s: Complex<f64>) -> Option<DMatrix<Complex<f64>>> {
        let found = self.answer(s, &self.input_matrix)?;
        Some(self.output_matrix.map(Complex::from) * found + self.feedthrough.map(Complex::from))
    }

    /// Returns η(s) under a generalised force f e^{st}: the deviation of all components, with amplitude and phase; `None` if s is an
    /// eigenvalue. The components of auxiliary states are δz(s), and their components of f are added to z'.
    ///
    /// For s = iω it is the frequency response; its product with the gradient of an output is a transfer function.
    pub fn response<V: TangentVector<Scalar = f64>>(
        &self,
        s: Complex<f64>,
        force: &V,
    ) -> Option<DVector<Complex<f64>>> {
        let push = self.speeds.tr_mul(&dense::components(force));
        let found = self.answer(s, &DMatrix::from_column_slice(push.len(), 1, push.as_slice()))?;
        Some(self.shape(&found.column(0).into_owned()))
    }

    /// Returns the deviation of all components for a state x = (z, w): η, and δz in the components of auxiliary states.
    pub(in crate::analysis) fn shape(&self, x: &DVector<Complex<f64>>) -> DVector<Complex<f64>> {
        let states = self.states.len();
        let mut shape = self.shapes.map(Complex::from) * x.rows(0, self.shapes.ncols());
        let first = shape.len() - states;
        shape.rows_mut(first, states).copy_from(&x.rows(x.len() - states, states));
        shape
    }

    /// Computes (s − A)⁻¹ of terms in w', by columns.
    #[inline]
    fn answer(&self, s: Complex<f64>, added: &DMatrix<f64>) -> Option<DMatrix<Complex<f64>>> {
        let mut matrix = self.state_matrix().map(|entry| Complex::from(-entry));
        for at in 0..matrix.nrows() {
            matrix[(at, at)] += s;
        }
        let right = added.clone().insert_rows(0, self.shapes.ncols(), 0.0).map(Complex::from);
        matrix.full_piv_lu().solve(&right)
    }

    /// Writes an NPZ archive of the matrices `A`, `B`, `C` and `D` of x' = A x + B u, y = C x + D u, with inputs and outputs in the order
    /// of their [names](Self::inputs), and of `shapes` and `speeds`.
    ///
    /// # Errors
    /// [`ExportError`] if the writer fails.
    pub fn write_npz(&self, mut writer: impl std::io::Write) -> Result<(), ExportError> {
        let array = |name: &str, matrix: &DMatrix<f64>| Array {
            name: name.to_owned(),
            shape: vec![matrix.nrows() as u64, matrix.ncols() as u64],
            entries: matrix.transpose().iter().copied().collect(),
        };
        let arrays = [
            array("A", &self.state_matrix()),
            array("B", &self.state_input_matrix()),
            array("C", &self.output_matrix),
            array("D", &self.feedthrough),
            array("shapes", &self.shapes),
            array("speeds", &self.speeds),
        ];
        write_arrays(&arrays, None, &mut writer)
    }
}
