/**
 * Work that runs off the unit's thread, one step at a time: {@code AsyncTask} runs a piece of work,
 * {@code Maintenance} chooses the next of many.
 */
@NullMarked
package corfu.roles.logunit.task;

import org.jspecify.annotations.NullMarked;
