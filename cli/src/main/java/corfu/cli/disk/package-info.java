/** The commands {@code corfu disk}: virtual disks on the log. Enter at {@code DiskCommand}. */
@NullMarked
package corfu.cli.disk;

import org.jspecify.annotations.NullMarked;
