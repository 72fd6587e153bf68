/** {@code corfu access}: permissions of identities on streams, the log and the cluster. */
@NullMarked
package corfu.cli.access;

import org.jspecify.annotations.NullMarked;
