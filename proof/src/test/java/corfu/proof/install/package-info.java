/** What those have who embed Corfu in a build of their own. */
@NullMarked
package corfu.proof.install;

import org.jspecify.annotations.NullMarked;
