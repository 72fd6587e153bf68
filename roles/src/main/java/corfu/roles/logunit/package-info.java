/**
 * The storage unit: a write-once address space on a disk that may lie.
 *
 * <p>Enter at {@link corfu.roles.logunit.LogUnit}. Its {@code RequestDispatcher} decides which
 * requests are served and how they are answered. {@link corfu.roles.logunit.options} has the unit's
 * options. The other packages follow the path of a request:
 *
 * <ul>
 *   <li>{@link corfu.roles.logunit.membership} holds the epochs;
 *   <li>{@link corfu.roles.logunit.request} serves requests;
 *   <li>{@link corfu.roles.logunit.store} accepts records;
 *   <li>{@link corfu.roles.logunit.commit} writes them to the disk in groups;
 *   <li>{@link corfu.roles.logunit.logfile} owns the files;
 *   <li>{@link corfu.roles.logunit.index} knows the content of each address;
 *   <li>{@link corfu.roles.logunit.scrub} looks for damage.
 * </ul>
 *
 * <p>{@code docs/storage-format.md} draws the files.
 */
@NullMarked
package corfu.roles.logunit;

import org.jspecify.annotations.NullMarked;
