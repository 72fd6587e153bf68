/** How long calls last whose servers fall silent, or become slow, in their middle. */
@NullMarked
package corfu.proof.deadline;

import org.jspecify.annotations.NullMarked;
