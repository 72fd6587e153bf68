/**
 * The log files. {@code LogFiles} owns them, and no other code opens one to write. {@code LogFile}
 * is the state of one file, {@code LogFileIndex} is its content, and {@code Footer} is the content
 * on the disk. {@code LogFileScan} reads a file without a footer. {@code Inventory} names the files
 * that must exist.
 */
@NullMarked
package corfu.roles.logunit.logfile;

import org.jspecify.annotations.NullMarked;
