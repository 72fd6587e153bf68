package corfu.sim.fault;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The faults of a simulation. Most of them pass; permanent ones leave one sound copy of everything.
 * docs/fault-model.md lists the faults that Corfu tolerates.
 */
public enum Fault {
  /** A server's process is killed, and restarts later. */
  KILL_SERVER(Kind.PROCESS),
  /** A server's machine loses power, and with it the data that its disks had not synced. */
  POWER_LOSS(Kind.STORAGE),
  /** All servers lose power at the same time. */
  BLACKOUT(Kind.STORAGE),
  /** A server shuts down in good order, and restarts later. */
  STOP_SERVER(Kind.PROCESS),
  /** A server's process is paused for a while. */
  PAUSE_SERVER(Kind.PROCESS),
  /** A client is killed at any moment; another one takes its place. */
  KILL_CLIENT(Kind.PROCESS),
  /** A client dies at a step of an append or of a trim. */
  KILL_WRITER(Kind.PROCESS),
  /** A server fails for good. */
  DEATH(Kind.PROCESS),
  /** A client's process is paused for a while. */
  PAUSE_CLIENT(Kind.PROCESS),
  /** Two parts of the processes can't reach each other. */
  PARTITION(Kind.NETWORK),
  /**
   * Messages from some processes to the others are lost; messages in the other direction arrive.
   */
  ONE_WAY_PARTITION(Kind.NETWORK),
  /** Some pairs of servers can't reach each other. */
  PARTIAL_MESH(Kind.NETWORK),
  /** One server after the other is cut off; then they come back in another order. */
  SWIZZLE(Kind.NETWORK),
  /** All messages from and to one process take much longer. */
  CLOG(Kind.NETWORK),
  /** Connections break; their messages in flight may arrive much later. */
  RESET(Kind.NETWORK),
  /** Both ends believe that a connection is open, but nothing passes through it. */
  HALF_OPEN(Kind.NETWORK),
  /** A request that was served before arrives once more. */
  REPLAY(Kind.NETWORK),
  /** Some messages are lost. */
  LOSS(Kind.NETWORK),
  /** A bit of an entry is flipped on its way. */
  BIT_FLIP(Kind.NETWORK),
  /** A bit of any byte of a message is flipped on its way, even in its header. */
  BYTE_FLIP(Kind.NETWORK),
  /** No client reaches a server, but its peers do. */
  CLIENT_CUT(Kind.NETWORK),
  /** A client can't reach a server that all others reach. */
  BAD_CABLE(Kind.NETWORK),
  /** A client reports servers as unreachable although it reaches them. */
  LYING_CLIENT(Kind.NETWORK),
  /** A log unit or a sequencer is sealed at an epoch that was never decided. */
  HOSTILE_SEAL(Kind.NETWORK),
  /** A disk takes much longer. */
  SLOW_DISK(Kind.STORAGE),
  /** The disk of a log unit or layout server has no space left. */
  FULL_DISK(Kind.STORAGE),
  /** A server restarts with an empty disk. */
  DISK_LOSS(Kind.STORAGE),
  /** Several operators replace the layout by the next one at the same time. */
  RENEW(Kind.RECONFIGURATION),
  /** An operator or agent dies between two steps of a layout change. */
  KILL_RECONFIGURER(Kind.RECONFIGURATION),
  /**
   * The server or operator that copies a segment dies. Segments are moved first so that there is
   * something to copy.
   */
  KILL_COPIER(Kind.RECONFIGURATION),
  /** Operators add, drain and replace log units, and ask for more log units or more replicas. */
  RESHAPE(Kind.RECONFIGURATION),
  /** A second process runs on copies of a server's disks, at another address. */
  CLONE(Kind.RECONFIGURATION),
  /** Clients and operators of another cluster use this cluster's addresses. */
  STRANGER(Kind.RECONFIGURATION),
  /** Data on a disk rots: bits, sectors or pages of any file. */
  ROT(Kind.LIES),
  /** A disk reports a write as done that it has dropped, torn or misdirected. */
  LYING_WRITES(Kind.LIES),
  /** A read returns bytes from another place, earlier bytes, or zeros. */
  LYING_READS(Kind.LIES),
  /** Syncs of a disk fail and may lose their data, and the next sync succeeds. */
  SYNC_ERRORS(Kind.LIES),
  /** Any call that needs space may find none, and the next one does. */
  REFUSALS(Kind.LIES),
  /** Files of a log unit are lost, truncated or duplicated when its server restarts. */
  LOST_FILES(Kind.LIES),
  /** A server restarts with an older image of its log unit's disk. */
  SET_BACK(Kind.LIES);

  /** The area of a fault. */
  private enum Kind {
    NETWORK,
    PROCESS,
    STORAGE,
    RECONFIGURATION,
    LIES
  }

  private final Kind kind;

  Fault(Kind kind) {
    this.kind = kind;
  }

  /** Returns the name for people to read. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** Returns the name that {@link #plan} accepts. */
  public String code() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns the faults of a plan: {@code all}, {@code none}, {@code network}, {@code process},
   * {@code storage}, {@code reconfiguration}, {@code lies}, or faults and plans separated by
   * commas.
   *
   * @throws IllegalArgumentException if no plan or fault has the name
   */
  public static Set<Fault> plan(String text) {
    Set<Fault> chosen = EnumSet.noneOf(Fault.class);
    for (String name : text.toLowerCase(Locale.ROOT).split(",", -1)) {
      chosen.addAll(named(name.strip()));
    }
    return chosen;
  }

  private static Set<Fault> named(String name) {
    if (name.equals("none")) {
      return Set.of();
    }
    Set<Fault> named = EnumSet.noneOf(Fault.class);
    for (Fault fault : values()) {
      boolean isOfKind = fault.kind.name().toLowerCase(Locale.ROOT).equals(name);
      if (name.equals("all") || isOfKind || fault.code().equals(name)) {
        named.add(fault);
      }
    }
    if (named.isEmpty()) {
      throw new IllegalArgumentException(
          "there is no plan or fault '"
              + name
              + "'; there are all, none, network, process, storage, reconfiguration, lies, "
              + Arrays.stream(values()).map(Fault::code).collect(Collectors.joining(", ")));
    }
    return named;
  }
}
