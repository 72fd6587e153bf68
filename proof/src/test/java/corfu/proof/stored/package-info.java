/** Directories that earlier versions have left: they are opened, read, and go on. */
@NullMarked
package corfu.proof.stored;

import org.jspecify.annotations.NullMarked;
