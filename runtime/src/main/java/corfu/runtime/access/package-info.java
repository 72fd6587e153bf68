/**
 * Changes of permissions by administrators, the servers that enforce them, and the audit log. Enter
 * at {@link corfu.runtime.access.AccessControl} and {@link corfu.runtime.access.AuditLog}.
 */
@NullMarked
package corfu.runtime.access;

import org.jspecify.annotations.NullMarked;
