"""Many clients at once get right bytes, and memory stays within its bound."""

import concurrent.futures
import hashlib
import http.client
import os
import random
import ssl

from server import ServerTest, TIMEOUT

CLIENTS, PACKS, SIZE = 64, 20, 1_000_000


def memory(process, field="VmHWM"):
    """The most memory that a process had, in bytes."""
    with open(f"/proc/{process}/status") as file:
        for line in file:
            if line.startswith(field + ":"):
                return int(line.split()[1]) * 1024
    raise AssertionError(f"no {field}")


class LoadTest(ServerTest):
    def test_packs_are_read_twice_at_start(self):
        """For their blocks and for the digest of the file, at the same time."""
        if not os.path.exists("/proc/self/io"):
            self.skipTest("the system doesn't count what a process reads")
        archives = [self.pack(f"pack{n}", {f"{n}.bin": random.Random(n).randbytes(20_000_000)})
                    for n in range(2)]
        server = self.serve(*archives)
        with open(f"/proc/{server.process.pid}/io") as file:
            read = int(file.readline().split()[1])
        size = sum(archive.stat().st_size for archive in archives)
        print(f"{read:,} bytes read of packs with {size:,}")
        self.assertLess(read, size * 2.2)

    def test_many_clients(self):
        seed = int(os.environ.get("BA_SEED") or 1)
        print(f"seed {seed}")
        generator = random.Random(seed)
        archives = [self.pack(f"pack{n}", {f"{n}.bin": generator.randbytes(SIZE)})
                    for n in range(PACKS)]
        digests = [hashlib.sha256(archive.read_bytes()).digest() for archive in archives]
        server = self.serve(*archives)
        trust = ssl.create_default_context(cafile=server.authority)

        def client(number):
            connection = http.client.HTTPSConnection(
                "localhost", server.port, context=trust, timeout=TIMEOUT * 2)
            wrong = 0
            for step in range(3):
                pack = (number * 7 + step) % PACKS
                connection.request("GET", f"/assetpacks/pack{pack}")
                answer = connection.getresponse()
                body = answer.read()
                wrong += answer.status != 200 or hashlib.sha256(body).digest() != digests[pack]
            connection.close()
            return wrong

        with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
            self.assertEqual(sum(pool.map(client, range(CLIENTS))), 0)
        if os.path.exists("/proc/self/status"):
            used = memory(server.process.pid)
            print(f"{CLIENTS} clients, {PACKS} packs: at most {used / 1_048_576:.1f} MiB")
            self.assertLess(used, (48 << 20) + CLIENTS * (512 << 10))
