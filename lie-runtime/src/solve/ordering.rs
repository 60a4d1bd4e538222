//! Orders of unknowns in which a sparse matrix is a narrow band.

/// Computes the reverse Cuthill-McKee order: an order of the vertices of a graph in which adjacent vertices are close to each other.
///
/// `neighbours[i]` lists the vertices that share an equation with vertex i. Every connected part starts from a vertex at the end of a
/// longest path (George and Liu). Chains, rings, joined chains and trees with a few long branches become bands. A band is one block wide
/// for a chain, two for a ring, and as many as there are branches side by side for a tree. The cost is O(edges), apart from sorting.
///
/// ```
/// use lie_runtime::solve::reverse_cuthill_mckee;
///
/// // A chain whose nodes are numbered in an arbitrary order.
/// let order = reverse_cuthill_mckee(&[vec![2, 3], vec![3], vec![0], vec![0, 1]]);
/// assert_eq!(order, [2, 0, 3, 1]); // From one end to the other.
/// ```
pub fn reverse_cuthill_mckee(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let size = neighbours.len();
    let mut order = Vec::with_capacity(size);
    let mut is_placed = vec![false; size];
    let mut search = BreadthFirstSearch { neighbours, seen: vec![0; size], round: 0, queue: Vec::with_capacity(size) };
    for vertex in 0..size {
        if is_placed[vertex] {
            continue;
        }
        let start = search.peripheral(vertex);
        let first = order.len();
        order.push(start);
        is_placed[start] = true;
        let mut next = first;
        while next < order.len() {
            let from = order.len();
            for &neighbour in &neighbours[order[next]] {
                if !is_placed[neighbour] {
                    is_placed[neighbour] = true;
                    order.push(neighbour);
                }
            }
            order[from..].sort_by_key(|&vertex| (neighbours[vertex].len(), vertex));
            next += 1;
        }
    }
    order.reverse();
    order
}

/// Breadth-first searches.
struct BreadthFirstSearch<'a> {
    neighbours: &'a [Vec<usize>],
    /// The search in which a vertex was visited last.
    seen: Vec<usize>,
    round: usize,
    queue: Vec<usize>,
}

impl BreadthFirstSearch<'_> {
    /// The number of levels below `root` and the position of the last level in the queue.
    fn levels(&mut self, root: usize) -> (usize, usize) {
        self.round += 1;
        self.queue.clear();
        self.queue.push(root);
        self.seen[root] = self.round;
        let (mut count, mut level) = (0, 0);
        loop {
            let end = self.queue.len();
            for position in level..end {
                for &neighbour in &self.neighbours[self.queue[position]] {
                    if self.seen[neighbour] != self.round {
                        self.seen[neighbour] = self.round;
                        self.queue.push(neighbour);
                    }
                }
            }
            if self.queue.len() == end {
                return (count, level);
            }
            count += 1;
            level = end;
        }
    }

    /// Returns a vertex, connected to `vertex`, with a nearly maximal distance from another vertex.
    fn peripheral(&mut self, vertex: usize) -> usize {
        let mut root = vertex;
        let (mut depth, mut last) = self.levels(root);
        loop {
            let level = &self.queue[last..];
            let candidate = level.iter().copied().min_by_key(|&vertex| (self.neighbours[vertex].len(), vertex));
            let Some(candidate) = candidate else { return root };
            let (deeper, level) = self.levels(candidate);
            if deeper <= depth {
                return root;
            }
            (root, depth, last) = (candidate, deeper, level);
        }
    }
}
