// Made by `make zones`: do not edit.

#if !canImport(Darwin)
    extension EmbeddedZones {
        /// The version of the IANA database that the table is made of.
        static let version = "2025b"

        /// A line for all zones with the same clocks: the rule, then the minutes that they were
        /// ahead of UTC when 2020 began and the changes that the rule does not give, in minutes
        /// since 1970, then the names of the zones and other names of theirs.
        static let table = """
            GMT0;;Africa/Abidjan Africa/Accra Africa/Bamako Africa/Banjul Africa/Bissau \
            Africa/Conakry Africa/Dakar Africa/Freetown Africa/Lome Africa/Monrovia \
            Africa/Nouakchott Africa/Ouagadougou Africa/Sao_Tome America/Danmarkshavn \
            Atlantic/Reykjavik Atlantic/St_Helena;Africa/Timbuktu Etc/GMT Etc/GMT+0 Etc/GMT-0 \
            Etc/GMT0 Etc/Greenwich GMT GMT+0 GMT-0 GMT0 Greenwich Iceland
            EAT-3;;Africa/Addis_Ababa Africa/Asmara Africa/Dar_es_Salaam Africa/Djibouti \
            Africa/Kampala Africa/Mogadishu Africa/Nairobi Indian/Antananarivo Indian/Comoro \
            Indian/Mayotte;Africa/Asmera
            CET-1;;Africa/Algiers Africa/Tunis;
            WAT-1;;Africa/Bangui Africa/Brazzaville Africa/Douala Africa/Kinshasa Africa/Lagos \
            Africa/Libreville Africa/Luanda Africa/Malabo Africa/Ndjamena Africa/Niamey \
            Africa/Porto-Novo;
            CAT-2;;Africa/Blantyre Africa/Bujumbura Africa/Gaborone Africa/Harare Africa/Khartoum \
            Africa/Kigali Africa/Lubumbashi Africa/Lusaka Africa/Maputo Africa/Windhoek;
            EET-2EEST,M4.5.5/0,M10.5.4/24;120 28043880=180;Africa/Cairo;Egypt
            <+01>-1;60 26454360=0 26514840=60 26968440=0 27018840=60 27472440=0 27532920=60 \
            27986520=0 28036920=60 28500600=0 28551000=60 29004600=0 29065080=60 29518680=0 \
            29569080=60 30032760=0 30083160=60 30536760=0 30597240=60 31050840=0 31101240=60 \
            31554840=0 31615320=60 32068920=0 32119320=60 32583000=0 32633400=60 33087000=0 \
            33147480=60 33601080=0 33651480=60 34105080=0 34165560=60 34619160=0 34679640=60 \
            35133240=0 35183640=60 35637240=0 35697720=60 36151320=0 36201720=60 36665400=0 \
            36715800=60 37169400=0 37229880=60 37683480=0 37733880=60 38187480=0 38247960=60 \
            38701560=0 38762040=60 39215640=0 39266040=60 39719640=0 39780120=60 40233720=0 \
            40284120=60 40747800=0 40798200=60 41251800=0 41312280=60 41765880=0 41816280=60 \
            42269880=0 42330360=60 42783960=0 42844440=60 43298040=0 43348440=60 43802040=0 \
            43862520=60 44316120=0 44366520=60 44830200=0 44880600=60 45334200=0 45394680=60 \
            45848280=0 45898680=60 46352280=0 46412760=60 46866360=0 46926840=60 47380440=0 \
            47430840=60 47884440=0 47944920=60 48398520=0 48448920=60 48912600=0 48963000=60 \
            49416600=0 49477080=60 49930680=0 49981080=60 50434680=0 50495160=60 50948760=0 \
            51009240=60 51462840=0 51513240=60 51966840=0 52027320=60 52480920=0 52531320=60 \
            52995000=0 53045400=60 53499000=0 53559480=60 54013080=0 54063480=60 54517080=0 \
            54577560=60 55031160=0 55091640=60 55545240=0 55595640=60 56049240=0 56109720=60 \
            56563320=0 56613720=60 57077400=0 57127800=60 57581400=0 57641880=60 58095480=0 \
            58145880=60 58599480=0 58659960=60 59113560=0 59163960=60 59627640=0 59678040=60 \
            60131640=0 60192120=60 60645720=0 60696120=60 61159800=0 61210200=60 61663800=0 \
            61724280=60;Africa/Casablanca Africa/El_Aaiun;
            CET-1CEST,M3.5.0,M10.5.0/3;;Africa/Ceuta Arctic/Longyearbyen Europe/Amsterdam \
            Europe/Andorra Europe/Belgrade Europe/Berlin Europe/Bratislava Europe/Brussels \
            Europe/Budapest Europe/Busingen Europe/Copenhagen Europe/Gibraltar Europe/Ljubljana \
            Europe/Luxembourg Europe/Madrid Europe/Malta Europe/Monaco Europe/Oslo Europe/Paris \
            Europe/Podgorica Europe/Prague Europe/Rome Europe/San_Marino Europe/Sarajevo \
            Europe/Skopje Europe/Stockholm Europe/Tirane Europe/Vaduz Europe/Vatican Europe/Vienna \
            Europe/Warsaw Europe/Zagreb Europe/Zurich;Atlantic/Jan_Mayen CET Poland
            SAST-2;;Africa/Johannesburg Africa/Maseru Africa/Mbabane;
            CAT-2;180 26868780=120;Africa/Juba;
            EET-2;;Africa/Tripoli Europe/Kaliningrad;Libya
            HST10HDT,M3.2.0,M11.1.0;;America/Adak;America/Atka US/Aleutian
            AKST9AKDT,M3.2.0,M11.1.0;;America/Anchorage America/Juneau America/Metlakatla \
            America/Nome America/Sitka America/Yakutat;US/Alaska
            AST4;;America/Anguilla America/Antigua America/Aruba America/Barbados \
            America/Blanc-Sablon America/Curacao America/Dominica America/Grenada \
            America/Guadeloupe America/Kralendijk America/Lower_Princes America/Marigot \
            America/Martinique America/Montserrat America/Port_of_Spain America/Puerto_Rico \
            America/Santo_Domingo America/St_Barthelemy America/St_Kitts America/St_Lucia \
            America/St_Thomas America/St_Vincent America/Tortola;America/Virgin
            <-03>3;;America/Araguaina America/Argentina/Buenos_Aires America/Argentina/Catamarca \
            America/Argentina/Cordoba America/Argentina/Jujuy America/Argentina/La_Rioja \
            America/Argentina/Mendoza America/Argentina/Rio_Gallegos America/Argentina/Salta \
            America/Argentina/San_Juan America/Argentina/San_Luis America/Argentina/Tucuman \
            America/Argentina/Ushuaia America/Bahia America/Belem America/Cayenne \
            America/Fortaleza America/Maceio America/Montevideo America/Paramaribo \
            America/Punta_Arenas America/Recife America/Santarem America/Sao_Paulo \
            Antarctica/Palmer Antarctica/Rothera Atlantic/Stanley;America/Argentina/ComodRivadavia \
            America/Buenos_Aires America/Catamarca America/Cordoba America/Jujuy America/Mendoza \
            America/Rosario Brazil/East Etc/GMT+3
            <-03>3;-180 26414100=-240 26696400=-180 26948340=-240 27220560=-180 27472500=-240 \
            27744720=-180 27996660=-240 28268880=-180 28520820=-240 \
            28803120=-180;America/Asuncion;
            EST5;;America/Atikokan America/Cancun America/Cayman America/Jamaica \
            America/Panama;America/Coral_Harbour EST Jamaica
            CST6;-360 26434560=-300 26726820=-360 26958720=-300 27261060=-360 27482880=-300 \
            27785220=-360;America/Bahia_Banderas America/Merida America/Mexico_City \
            America/Monterrey;Mexico/General
            CST6;;America/Belize America/Costa_Rica America/El_Salvador America/Guatemala \
            America/Managua America/Regina America/Swift_Current \
            America/Tegucigalpa;Canada/Saskatchewan
            <-04>4;;America/Boa_Vista America/Campo_Grande America/Caracas America/Cuiaba \
            America/Guyana America/La_Paz America/Manaus America/Porto_Velho;Brazil/West Etc/GMT+4
            <-05>5;;America/Bogota America/Eirunepe America/Guayaquil America/Lima \
            America/Rio_Branco;America/Porto_Acre Brazil/Acre Etc/GMT+5
            MST7MDT,M3.2.0,M11.1.0;;America/Boise America/Cambridge_Bay America/Denver \
            America/Edmonton America/Inuvik;America/Shiprock America/Yellowknife Canada/Mountain \
            MST7MDT Navajo US/Mountain
            CST6CDT,M3.2.0,M11.1.0;;America/Chicago America/Indiana/Knox America/Indiana/Tell_City \
            America/Matamoros America/Menominee America/North_Dakota/Beulah \
            America/North_Dakota/Center America/North_Dakota/New_Salem America/Rankin_Inlet \
            America/Resolute America/Winnipeg;America/Knox_IN America/Rainy_River CST6CDT \
            Canada/Central US/Central US/Indiana-Starke
            CST6;-420 26434620=-360 26726880=-420 26958780=-360 27261120=-420 \
            27482940=-360;America/Chihuahua;
            MST7MDT,M3.2.0,M11.1.0;-420 26394300=-360 26736960=-420 26928540=-360 27271200=-420 \
            27452700=-360 27785280=-360 27829800=-420;America/Ciudad_Juarez;
            <-03>3;-180 26434260=-240 26656080=-180 26958420=-240 27180240=-180 27482580=-240 \
            27714480=-180 28006740=-240 28228560=-180 28540980=-240 \
            28762800=-180;America/Coyhaique;
            MST7;;America/Creston America/Dawson_Creek America/Fort_Nelson America/Hermosillo \
            America/Phoenix;MST US/Arizona
            MST7;-480 26394360=-420;America/Dawson America/Whitehorse;Canada/Yukon
            EST5EDT,M3.2.0,M11.1.0;;America/Detroit America/Grand_Turk \
            America/Indiana/Indianapolis America/Indiana/Marengo America/Indiana/Petersburg \
            America/Indiana/Vevay America/Indiana/Vincennes America/Indiana/Winamac \
            America/Iqaluit America/Kentucky/Louisville America/Kentucky/Monticello America/Nassau \
            America/New_York America/Port-au-Prince America/Toronto;America/Fort_Wayne \
            America/Indianapolis America/Louisville America/Montreal America/Nipigon \
            America/Pangnirtung America/Thunder_Bay Canada/Eastern EST5EDT US/East-Indiana \
            US/Eastern US/Michigan
            PST8PDT,M3.2.0,M11.1.0;;America/Los_Angeles America/Tijuana \
            America/Vancouver;America/Ensenada America/Santa_Isabel Canada/Pacific \
            Mexico/BajaNorte PST8PDT US/Pacific
            AST4ADT,M3.2.0,M11.1.0;;America/Glace_Bay America/Goose_Bay America/Halifax \
            America/Moncton America/Thule Atlantic/Bermuda;Canada/Atlantic
            <-02>2<-01>,M3.5.0/-1,M10.5.0/0;-180 26424060=-120 26726460=-180 26948220=-120 \
            27260700=-180 27472380=-120 27784860=-180 27996540=-120 \
            28530780=-60;America/Nuuk;America/Godthab
            CST5CDT,M3.2.0/0,M11.1.0/1;;America/Havana;Cuba
            MST7;-420 26434620=-360 26726880=-420 26958780=-360 27261120=-420 27482940=-360 \
            27785280=-420;America/Mazatlan;Mexico/BajaSur
            <-03>3<-02>,M3.2.0,M11.1.0;;America/Miquelon;
            <-02>2;;America/Noronha Atlantic/South_Georgia;Brazil/DeNoronha Etc/GMT+2
            CST6CDT,M3.2.0,M11.1.0;-420 26394300=-360 26736960=-420 26928540=-360 27271200=-420 \
            27452700=-360 27785280=-360 27976800=-300;America/Ojinaga;
            <-04>4<-03>,M9.1.6/24,M4.1.6/24;-180 26434260=-240 26656080=-180 26958420=-240 \
            27180240=-180 27482580=-240 27714480=-180;America/Santiago;Chile/Continental
            <-02>2<-01>,M3.5.0/-1,M10.5.0/0;-60 26424060=0 26726460=-60 26948220=0 27260700=-60 \
            27472380=0 27784860=-60 27996540=0 28309020=-60 28530780=-60;America/Scoresbysund;
            NST3:30NDT,M3.2.0,M11.1.0;;America/St_Johns;Canada/Newfoundland
            <+08>-8;660 26393280=480 26695681=660 26927340=480 27219841=660 27451500=480 \
            27744001=660 27971520=480;Antarctica/Casey;
            <+07>-7;;Antarctica/Davis Asia/Bangkok Asia/Barnaul Asia/Ho_Chi_Minh Asia/Hovd \
            Asia/Krasnoyarsk Asia/Novokuznetsk Asia/Novosibirsk Asia/Phnom_Penh Asia/Tomsk \
            Asia/Vientiane Indian/Christmas;Asia/Saigon Etc/GMT-7
            <+10>-10;;Antarctica/DumontDUrville Asia/Ust-Nera Asia/Vladivostok Pacific/Chuuk \
            Pacific/Port_Moresby;Etc/GMT-10 Pacific/Truk Pacific/Yap
            AEST-10AEDT,M10.1.0,M4.1.0/3;;Antarctica/Macquarie Australia/Hobart \
            Australia/Melbourne Australia/Sydney;Australia/ACT Australia/Canberra Australia/Currie \
            Australia/NSW Australia/Tasmania Australia/Victoria
            <+05>-5;;Antarctica/Mawson Asia/Aqtau Asia/Aqtobe Asia/Ashgabat Asia/Atyrau \
            Asia/Dushanbe Asia/Oral Asia/Qyzylorda Asia/Samarkand Asia/Tashkent Asia/Yekaterinburg \
            Indian/Kerguelen Indian/Maldives;Asia/Ashkhabad Etc/GMT-5
            NZST-12NZDT,M9.5.0,M4.1.0/3;;Antarctica/McMurdo Pacific/Auckland;Antarctica/South_Pole \
            NZ
            <+03>-3;;Antarctica/Syowa Asia/Aden Asia/Baghdad Asia/Bahrain Asia/Kuwait Asia/Qatar \
            Asia/Riyadh Europe/Istanbul Europe/Minsk;Asia/Istanbul Etc/GMT-3 Turkey
            <+00>0<+02>-2,M3.5.0/1,M10.5.0/3;;Antarctica/Troll;
            <+05>-5;420 28380660=300;Antarctica/Vostok;
            <+05>-5;360 28487160=300;Asia/Almaty Asia/Qostanay;
            <+03>-3;120 26421000=180 26733480=120 26945160=180 27257640=120 \
            27429000=180;Asia/Amman;
            <+12>-12;;Asia/Anadyr Asia/Kamchatka Pacific/Funafuti Pacific/Kwajalein Pacific/Majuro \
            Pacific/Nauru Pacific/Tarawa Pacific/Wake Pacific/Wallis;Etc/GMT-12 Kwajalein
            <+04>-4;;Asia/Baku Asia/Dubai Asia/Muscat Asia/Tbilisi Asia/Yerevan Europe/Astrakhan \
            Europe/Samara Europe/Saratov Europe/Ulyanovsk Indian/Mahe Indian/Mauritius \
            Indian/Reunion;Etc/GMT-4
            EET-2EEST,M3.5.0/0,M10.5.0/0;;Asia/Beirut;
            <+06>-6;;Asia/Bishkek Asia/Dhaka Asia/Omsk Asia/Thimphu Asia/Urumqi \
            Indian/Chagos;Asia/Dacca Asia/Kashgar Asia/Thimbu Etc/GMT-6
            <+08>-8;;Asia/Brunei Asia/Irkutsk Asia/Kuala_Lumpur Asia/Kuching Asia/Singapore \
            Asia/Ulaanbaatar;Asia/Choibalsan Asia/Ulan_Bator Etc/GMT-8 Singapore
            IST-5:30;;Asia/Kolkata;Asia/Calcutta
            <+09>-9;;Asia/Chita Asia/Dili Asia/Khandyga Asia/Yakutsk Pacific/Palau;Etc/GMT-9
            CST-8;;Asia/Macau Asia/Shanghai Asia/Taipei;Asia/Chongqing Asia/Chungking Asia/Harbin \
            Asia/Macao PRC ROC
            <+0530>-5:30;;Asia/Colombo;
            <+03>-3;120 26421000=180 26733420=120 26945160=180 27257580=120 \
            27469320=180;Asia/Damascus;
            EET-2EEST,M3.5.0/3,M10.5.0/4;;Asia/Famagusta Asia/Nicosia Europe/Athens \
            Europe/Bucharest Europe/Helsinki Europe/Kyiv Europe/Mariehamn Europe/Riga Europe/Sofia \
            Europe/Tallinn Europe/Vilnius;EET Europe/Kiev Europe/Nicosia Europe/Uzhgorod \
            Europe/Zaporozhye
            EET-2EEST,M3.4.4/50,M10.4.4/50;120 26422440=180 26724840=120 26946600=180 27257640=120 \
            27472200=180 27783300=120 28045440=180 28307460=120 28559520=180 28831620=120 \
            29073600=180 29355780=120 29577600=180 29879940=120 30101760=180 30414180=120 \
            30625920=180 30938340=120 31150080=180 31462500=120 31684320=180 31986660=120 \
            32208480=180 32510820=120 32732640=180 33045060=120 33256800=180 33569220=120 \
            33780960=180 34093380=120 34305120=180 34617540=120 34839360=180 35131620=120 \
            35363520=180 35645700=120 35887680=180 36149700=120 36411840=180 36663780=120 \
            36936000=180 37167780=120 37238400=180 37248420=120 37470240=180 37681860=120 \
            37742400=180 37772580=120 37994400=180 38195940=120 38256480=180 38296740=120 \
            38518560=180 38699940=120 38770560=180 38820900=120 39042720=180 39214020=120 \
            39274560=180 39355140=120 39566880=180 39728100=120 39788640=180 39879300=120 \
            40091040=180 40232100=120 40302720=180 40403460=120 40625280=180 40746180=120 \
            40806720=180 40927620=120 41149440=180 41250180=120 41320800=180 41451780=120 \
            41673600=180 41764260=120 41824800=180 41986020=120 42197760=180 42278340=120 \
            42338880=180 42510180=120 42721920=180 42782340=120 42852960=180 43034340=120 \
            43256160=180 43296420=120 43356960=180 43558500=120 43780320=180 43800420=120 \
            43871040=180 44082660=120 44304480=180 44314500=120 44385120=180 44606820=120 \
            44889120=180 45141060=120 45403200=180 45665220=120 45907200=180 46189380=120 \
            46421280=180 46713540=120 46935360=180 47237700=120 47459520=180 47771940=120 \
            47983680=180 48296100=120 48507840=180 48820260=120 49032000=180 49344420=120 \
            49566240=180 49868580=120 50090400=180 50392740=120 50614560=180 50926980=120 \
            51138720=180 51451140=120 51662880=180 51965220=120 52197120=180 52479300=120 \
            52721280=180 52993380=120 53245440=180 53497380=120 53769600=180 54011460=120 \
            54072000=180 54082020=120 54293760=180 54525540=120 54586080=180 54606180=120 \
            54817920=180 55029540=120 55100160=180 55130340=120 55352160=180 55543620=120 \
            55604160=180 55654500=120 55876320=180 56047620=120 56118240=180 56178660=120 \
            56400480=180 56561700=120 56632320=180 56712900=120 56924640=180 57075780=120 \
            57136320=180 57237060=120 57448800=180 57579780=120 57650400=180 57761220=120 \
            57983040=180 58093860=120 58154400=180 58285380=120 58507200=180 58607940=120 \
            58668480=180 58809540=120 59031360=180 59111940=120 59182560=180 59333700=120 \
            59555520=180 59626020=120 59686560=180 59867940=120 60079680=180 60130020=120 \
            60200640=180 60392100=120 60603840=180 60644100=120 60714720=180 60916260=120 \
            61138080=180 61158180=120 61218720=180;Asia/Gaza Asia/Hebron;
            HKT-8;;Asia/Hong_Kong;Hongkong
            WIB-7;;Asia/Jakarta Asia/Pontianak;
            WIT-9;;Asia/Jayapura;
            IST-2IDT,M3.4.4/26,M10.5.0;;Asia/Jerusalem;Asia/Tel_Aviv Israel
            <+0430>-4:30;;Asia/Kabul;
            PKT-5;;Asia/Karachi;
            <+0545>-5:45;;Asia/Kathmandu;Asia/Katmandu
            <+11>-11;;Asia/Magadan Asia/Sakhalin Asia/Srednekolymsk Pacific/Bougainville \
            Pacific/Efate Pacific/Guadalcanal Pacific/Kosrae Pacific/Noumea \
            Pacific/Pohnpei;Etc/GMT-11 Pacific/Ponape
            WITA-8;;Asia/Makassar;Asia/Ujung_Pandang
            PST-8;;Asia/Manila;
            KST-9;;Asia/Pyongyang Asia/Seoul;ROK
            <+0630>-6:30;;Asia/Yangon Indian/Cocos;Asia/Rangoon
            <+0330>-3:30;210 26412270=270 26677170=210 26939310=270 27204210=210 27464910=270 \
            27729810=210;Asia/Tehran;Iran
            JST-9;;Asia/Tokyo;Japan
            <-01>1<+00>,M3.5.0/0,M10.5.0/1;;Atlantic/Azores;
            WET0WEST,M3.5.0/1,M10.5.0;;Atlantic/Canary Atlantic/Faroe Atlantic/Madeira \
            Europe/Lisbon;Atlantic/Faeroe Portugal WET
            <-01>1;;Atlantic/Cape_Verde;Etc/GMT+1
            ACST-9:30ACDT,M10.1.0,M4.1.0/3;;Australia/Adelaide \
            Australia/Broken_Hill;Australia/South Australia/Yancowinna
            AEST-10;;Australia/Brisbane Australia/Lindeman;Australia/Queensland
            ACST-9:30;;Australia/Darwin;Australia/North
            <+0845>-8:45;;Australia/Eucla;
            <+1030>-10:30<+11>-11,M10.1.0,M4.1.0;;Australia/Lord_Howe;Australia/LHI
            AWST-8;;Australia/Perth;Australia/West
            <-06>6<-05>,M9.1.6/22,M4.1.6/22;-300 26434260=-360 26656080=-300 26958420=-360 \
            27180240=-300 27482580=-360 27714480=-300;Pacific/Easter;Chile/EasterIsland
            IST-1GMT0,M10.5.0,M3.5.0/1;;Europe/Dublin;Eire
            <-10>10;;Pacific/Rarotonga Pacific/Tahiti;Etc/GMT+10
            <-11>11;;Pacific/Niue;Etc/GMT+11
            <-12>12;;;Etc/GMT+12
            <-06>6;;Pacific/Galapagos;Etc/GMT+6
            <-07>7;;;Etc/GMT+7
            <-08>8;;Pacific/Pitcairn;Etc/GMT+8
            <-09>9;;Pacific/Gambier;Etc/GMT+9
            <+01>-1;;;Etc/GMT-1
            <+13>-13;;Pacific/Fakaofo Pacific/Kanton Pacific/Tongatapu;Etc/GMT-13 \
            Pacific/Enderbury
            <+14>-14;;Pacific/Kiritimati;Etc/GMT-14
            <+02>-2;;;Etc/GMT-2
            UTC0;;UTC;Etc/UCT Etc/UTC Etc/Universal Etc/Zulu UCT Universal Zulu
            GMT0BST,M3.5.0/1,M10.5.0;;Europe/Guernsey Europe/Isle_of_Man Europe/Jersey \
            Europe/London;Europe/Belfast GB GB-Eire
            EET-2EEST,M3.5.0,M10.5.0/3;;Europe/Chisinau;Europe/Tiraspol
            MSK-3;;Europe/Kirov Europe/Moscow Europe/Simferopol;W-SU
            MSK-3;240 26817000=180;Europe/Volgograd;
            <-00>0;;;Factory
            HST10;;Pacific/Honolulu;HST Pacific/Johnston US/Hawaii
            MET-1MEST,M3.5.0,M10.5.0/3;;;MET
            <+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45;;Pacific/Chatham;NZ-CHAT
            <+13>-13;840 26433480=780 26685480=840 26957640=780;Pacific/Apia;
            <+12>-12;780 26312520=720 26806440=780 26846760=720;Pacific/Fiji;
            ChST-10;;Pacific/Guam Pacific/Saipan;
            <-0930>9:30;;Pacific/Marquesas;
            SST11;;Pacific/Midway Pacific/Pago_Pago;Pacific/Samoa US/Samoa
            <+11>-11<+12>,M10.1.0,M4.1.0/3;;Pacific/Norfolk;
            """
    }
#endif
