/** The states of files and directories, and how entries change them. */
@NullMarked
package corfu.silver.internal.inode;

import org.jspecify.annotations.NullMarked;
