/** Has TLC check the models beside this directory, and checks that they can fail. */
@NullMarked
package corfu.spec;

import org.jspecify.annotations.NullMarked;
