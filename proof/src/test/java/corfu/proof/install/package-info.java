/**
 * The use of Corfu as a dependency of another build. {@link corfu.proof.install.InstallTest} checks
 * it.
 */
@NullMarked
package corfu.proof.install;

import org.jspecify.annotations.NullMarked;
