/** The storage unit: a write-once address space on a disk that may lie. */
@NullMarked
package corfu.roles.logunit;

import org.jspecify.annotations.NullMarked;
