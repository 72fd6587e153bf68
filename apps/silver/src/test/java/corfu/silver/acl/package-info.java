/** Tests of file systems. */
@NullMarked
package corfu.silver.acl;

import org.jspecify.annotations.NullMarked;
