package corfu.runtime.stream;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Address;
import corfu.protocol.PayloadRange;
import corfu.runtime.CompressionReport;
import corfu.runtime.EntryPart;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class EntryCacheTest {

  private final AtomicLong beginning = new AtomicLong();
  private final CountingLog log = new CountingLog();
  private final EntryCache cache = new EntryCache(log, beginning::get, 1 << 20);

  @Test
  void anEntryIsReadOnce() {
    cache.read(List.of(3L, 4L));
    cache.read(List.of(4L, 3L));

    assertThat(log.read).containsExactly(3L, 4L);
  }

  /** Seed 207: the entry was in a stream whose trim mark all servers had forgotten. */
  @Test
  void whatIsBeforeTheBeginningOfTheLogIsNotKnownAnyMore() {
    cache.read(List.of(3L, 4L));
    beginning.set(4);

    cache.read(List.of(3L, 4L));

    assertThat(log.read).containsExactly(3L, 4L, 3L);
  }

  /** A log in which every address holds an entry. */
  private static final class CountingLog implements Log {
    private final List<Long> read = new ArrayList<>();

    @Override
    public List<LogEntry> read(List<Address> addresses) {
      return addresses.stream().map(this::read).toList();
    }

    @Override
    public LogEntry read(Address address) {
      read.add(address.value());
      return new LogEntry.Data(address, ByteBuffer.allocate(1));
    }

    @Override
    public Address append(ByteBuffer payload) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Address> appendAsync(ByteBuffer payload) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<LogEntry> readAsync(Address address) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<LogEntry> read(Address from, Address to) {
      throw new UnsupportedOperationException();
    }

    @Override
    public EntryPart read(Address address, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<EntryPart> readAsync(Address address, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<EntryPart> readParts(List<PayloadRange> ranges) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Address tail() {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Address> tailAsync() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void trim(Address address) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void prefixTrim(Address before) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<CompressionReport> compress(Address before) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<CompressionReport> compression() {
      throw new UnsupportedOperationException();
    }

    @Override
    public LogEntry fill(Address address) {
      throw new UnsupportedOperationException();
    }
  }
}
