package corfu.roles.logunit;

import corfu.world.Disk;
import corfu.world.Offload;
import corfu.world.World;

/**
 * Where a unit lives and works.
 *
 * @param syncs takes writes and syncs off the unit's thread
 * @param background takes off what must not delay those
 */
record Place(Disk disk, LogUnitOptions options, World world, Offload syncs, Offload background) {}
