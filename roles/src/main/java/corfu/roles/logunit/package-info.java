/**
 * The storage unit: a write-once address space on a disk that may lie.
 *
 * <p>Enter at {@link corfu.roles.logunit.LogUnit}, which decides what is served and what is
 * answered; {@link corfu.roles.logunit.options} says how it stores. From there a request goes down:
 * {@link corfu.roles.logunit.membership} keeps the epochs, {@link corfu.roles.logunit.request}
 * serves requests, {@link corfu.roles.logunit.store} accepts records, {@link
 * corfu.roles.logunit.commit} brings them to the disk in groups, {@link
 * corfu.roles.logunit.segment} owns the files, {@link corfu.roles.logunit.index} knows the content
 * of each address, {@link corfu.roles.logunit.scrub} looks for damage. {@code
 * docs/storage-format.md} draws the files.
 */
@NullMarked
package corfu.roles.logunit;

import org.jspecify.annotations.NullMarked;
