/**
 * Work outside the unit's thread, one step at a time: {@code AsyncTask} runs a piece of work, and
 * {@code Maintenance} chooses the next step of several chores.
 */
@NullMarked
package corfu.roles.logunit.task;

import org.jspecify.annotations.NullMarked;
