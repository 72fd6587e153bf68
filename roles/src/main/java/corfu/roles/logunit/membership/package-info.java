/**
 * The unit's place in a cluster: {@code Membership} seals, installs layouts and resets; {@code
 * Epochs} decides which requests the epochs allow; {@code EpochFile} stores both on the disk.
 */
@NullMarked
package corfu.roles.logunit.membership;

import org.jspecify.annotations.NullMarked;
