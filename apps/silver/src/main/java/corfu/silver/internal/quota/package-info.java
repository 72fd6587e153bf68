/** The enforcement of quotas by one client, which counts the space in use. */
@NullMarked
package corfu.silver.internal.quota;

import org.jspecify.annotations.NullMarked;
