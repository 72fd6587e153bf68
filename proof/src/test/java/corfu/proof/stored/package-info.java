/**
 * Directories of earlier versions: this version opens them, reads them and appends to them. Enter
 * at {@link corfu.proof.stored.StoredClusterTest}.
 */
@NullMarked
package corfu.proof.stored;

import org.jspecify.annotations.NullMarked;
