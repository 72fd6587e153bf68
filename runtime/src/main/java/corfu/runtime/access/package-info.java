/**
 * Changes of permissions by administrators, and the servers that enforce them. Enter at {@link
 * corfu.runtime.access.AccessControl}.
 */
@NullMarked
package corfu.runtime.access;

import org.jspecify.annotations.NullMarked;
