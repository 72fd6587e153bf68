package corfu.cli.log;

import corfu.protocol.Address;
import corfu.protocol.PayloadRange;
import corfu.runtime.CompressionReport;
import corfu.runtime.EntryPart;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A log of which a test overrides what it needs. */
class UnusedLog implements Log {

  @Override
  public Address append(ByteBuffer payload) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletableFuture<Address> appendAsync(ByteBuffer payload) {
    throw new UnsupportedOperationException();
  }

  @Override
  public LogEntry read(Address address) {
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
  public List<LogEntry> read(List<Address> addresses) {
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
