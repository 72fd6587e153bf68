package corfu.disk.internal.device;

import corfu.protocol.Address;
import java.nio.ByteBuffer;

public record Owner(long epoch, ByteBuffer owner, Address since) {}
