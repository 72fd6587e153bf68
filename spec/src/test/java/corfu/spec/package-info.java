/** Runs TLC on the models of this directory's project, and checks that the models can fail. */
@NullMarked
package corfu.spec;

import org.jspecify.annotations.NullMarked;
