/**
 * POSIX access control lists as Linux has them: their format as extended attributes, and the rules
 * of inheritance and of {@code chmod}. Pure functions; enter at {@link
 * corfu.silver.acl.AccessControlList}.
 */
@NullMarked
package corfu.silver.acl;

import org.jspecify.annotations.NullMarked;
