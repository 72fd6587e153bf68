/** What clients cost a server, measured from outside. */
@NullMarked
package corfu.proof.load;

import org.jspecify.annotations.NullMarked;
