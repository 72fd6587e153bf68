package corfu.fuse.mount;

import corfu.fuse.linux.Errno;
import corfu.fuse.protocol.InitFlag;
import corfu.fuse.protocol.InitReply;
import corfu.fuse.protocol.ReplyEncoder;
import corfu.fuse.protocol.Request;
import corfu.fuse.protocol.RequestDecoder;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;

/** The exchange of INIT and its reply, which comes before all other requests. */
final class Negotiation {

  private static final int PAGE_BYTES = 4_096;

  private Negotiation() {}

  /**
   * Answers INIT.
   *
   * @param buffer memory for the request and then for the reply
   * @return the reply that the kernel got
   */
  static InitReply run(Device device, MemorySegment buffer, MountOptions options)
      throws MountException {
    RequestDecoder decoder = new RequestDecoder(false);
    ReplyEncoder encoder = new ReplyEncoder(buffer);
    while (true) {
      long read = device.read(buffer);
      if (read == -Errno.EINTR.code() || read == -Errno.EAGAIN.code()) {
        continue;
      }
      if (read < 0) {
        throw new MountException(Errno.of(read), "The kernel ended the mount before its start");
      }
      if (!(decoder.decode(buffer, read) instanceof Request.Init init)) {
        throw new MountException(Errno.EPROTO, "The kernel's first request is not INIT");
      }
      long unique = init.header().unique();
      if (init.major() < InitReply.MAJOR
          || (init.major() == InitReply.MAJOR && init.minor() < InitReply.OLDEST_MINOR)) {
        long unused = device.write(buffer, encoder.fail(unique, Errno.EPROTO));
        throw new MountException(
            Errno.EPROTO,
            "The kernel speaks FUSE %d.%d; Corfu needs 7.%d or newer"
                .formatted(init.major(), init.minor(), InitReply.OLDEST_MINOR));
      }
      InitReply reply = reply(init, options);
      long written = device.write(buffer, encoder.finish(unique, encoder.init(reply)));
      if (written < 0) {
        throw new MountException(Errno.of(written), "The kernel refuses the reply to INIT");
      }
      if (init.major() == InitReply.MAJOR) {
        return reply;
      }
      // A newer major version: the kernel repeats INIT with version 7.
    }
  }

  /** Returns the reply: the features that both sides have. */
  static InitReply reply(Request.Init init, MountOptions options) {
    Set<InitFlag> flags = EnumSet.noneOf(InitFlag.class);
    flags.addAll(options.features());
    flags.retainAll(InitFlag.setOf(init.flags()));
    MountOptions.Transfer transfer = options.transfer();
    int maxWrite =
        flags.contains(InitFlag.MAX_PAGES)
            ? transfer.maxWriteBytes()
            : Math.min(transfer.maxWriteBytes(), 32 * PAGE_BYTES);
    return new InitReply(
        Math.min(init.minor(), InitReply.NEWEST_MINOR),
        Math.min(init.maxReadAhead(), transfer.maxReadAheadBytes()),
        flags,
        transfer.maxBackground(),
        Math.max(1, transfer.maxBackground() * 3 / 4),
        maxWrite,
        1,
        maxWrite / PAGE_BYTES);
  }
}
